"""The samples of `holdfast bench secrets`: recall by kind of text, and false alarms in the package's own files."""

from __future__ import annotations

import gzip
import json
from argparse import Namespace
from collections import Counter
from pathlib import Path

import pytest

from bench import secrets
from holdfast.intake.secrets import scan
from holdfast.intake.secrets.secret_tokens import TOKENS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", params=[11, 12])
def samples(request: pytest.FixtureRequest) -> list[secrets.Sample]:
    return secrets.samples(request.param)


@pytest.mark.parametrize("group", secrets.GROUPS)
def test_at_least_95_percent_of_each_group_are_found(samples: list[secrets.Sample], group: str) -> None:
    ours = [sample for sample in samples if sample.group == group]
    missed = [sample.text for sample in ours if not secrets.is_found(sample)]
    assert len(missed) <= 0.05 * len(ours), missed


def test_no_kind_is_missed_often(samples: list[secrets.Sample]) -> None:
    total = Counter((sample.group, sample.kind) for sample in samples)
    missed = Counter((sample.group, sample.kind) for sample in samples if not secrets.is_found(sample))
    assert [kind for kind, count in missed.items() if count > 0.2 * total[kind]] == []


def test_a_sample_counts_as_missed_if_a_part_of_its_secret_is_left() -> None:
    assert not secrets.is_found(secrets.Sample("en", "sentence", "The code is Winter2024.", "Winter2024"))


def test_every_kind_of_token_has_a_sample(samples: list[secrets.Sample]) -> None:
    found = {redaction.kind for sample in samples for redaction in scan(sample.text)[1]}
    without = {
        "discord-token",
        "dropbox-token",
        "e2b-key",
        "elevenlabs-key",
        "together-key",
        "xata-key",
        "google-oauth",
    }
    assert {kind for kind, *_ in TOKENS} - found <= without, "add a line to bench/sets/secrets/tokens.txt"


def test_code_and_documentation_raise_at_most_one_false_alarm_per_thousand_lines() -> None:
    texts = [path.read_text(encoding="utf-8") for folder in ("src", "docs") for path in (ROOT / folder).rglob("*.py")]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")]
    lines = sum(text.count("\n") for text in texts)
    alarms = [text[r.start - 40 : r.start + r.length] for text in texts for r in scan(text)[1]]
    assert lines > 20_000
    assert len(alarms) <= lines / 1_000, alarms


def test_the_report_counts_lines_and_alarms_of_transcripts(tmp_path: Path) -> None:
    folder = tmp_path / "coding-sessions"
    folder.mkdir()
    events = [{"text": "one\ntwo"}, {"args": {"command": "run --password Winter2024!x"}}]
    with gzip.open(folder / "a.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(json.dumps({"events": events}) + "\n")
    report = secrets.measure(Namespace(seed=11, data=tmp_path, missed=False))
    assert [section.title for section in report.sections] == ["Share of secrets found, by kind of text", "False alarms"]
    assert report.sections[1].rows[0].p50 == pytest.approx(1000 / 3)
