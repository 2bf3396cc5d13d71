"""Measures the secret scan: the share of drawn secrets it finds, and its false alarms in real transcripts.

The samples are templates of `bench/sets/secrets`, filled with values drawn from a seed, so that no file contains a
secret. A sample counts as found if no part of the secret longer than five characters is left.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import random
import re
import string
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from holdfast.bench.measure import Measurement
from holdfast.bench.reports import Report, Section
from holdfast.intake.secrets import scan

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = Path(__file__).parent / "sets" / "secrets"
RECALL, FALSE_ALARMS = 0.95, 1.0
SEED = 11
DRAWS = 8
GROUPS = {
    "tokens": "tokens of providers, private keys, hashes",
    "config": "files, code, headers, URLs, commands",
    "en": "English sentences",
    "fr": "French sentences",
    "de": "German sentences",
}
_AROUND = ("{}", "Here it is: {}", "value = '{}'", '{{"args": "{{\\"v\\": \\"{}\\"}}"}}', "use `{}`, then rotate it.")


@dataclass(frozen=True, slots=True)
class Sample:
    """A text with one secret, its group and its kind."""

    group: str
    kind: str
    text: str
    secret: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets, for the transcripts")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the drawn values")
    parser.add_argument("--missed", action="store_true", help="print the samples that were missed")


def measure(options: argparse.Namespace) -> Report:
    every = samples(options.seed)
    missed = [sample for sample in every if not is_found(sample)]
    if options.missed:
        for sample in missed:
            print(f"{sample.group}\t{sample.kind}\t{sample.text!r}")
    sections = [_recall(every, missed)]
    texts = list(transcripts(options.data))
    if texts:
        sections.append(_false_alarms(texts))
    notes = () if texts else ("coding-sessions: its data was not found. Use --data to name its folder.",)
    return Report("secrets", f"holdfast bench secrets --seed {options.seed}", tuple(sections), notes)


def samples(seed: int) -> list[Sample]:
    """All templates, each filled several times with drawn values."""
    draw = _Draw(random.Random(seed))
    return [
        sample
        for group in GROUPS
        for kind, template in _templates(group)
        for _ in range(DRAWS)
        for sample in [_filled(group, kind, template, draw)]
    ]


def is_found(sample: Sample) -> bool:
    """Is no part of the secret longer than five characters left in the redacted text?"""
    redacted = re.sub(r"\[secret:[\w-]+\]", "", scan(sample.text)[0])
    segments = re.split(r"[\s\"'/:\\]+", sample.secret)
    return not any(segment in redacted for segment in segments if len(segment) > 5)


def _recall(every: list[Sample], missed: list[Sample]) -> Section:
    rows = []
    for group, title in GROUPS.items():
        total = sum(sample.group == group for sample in every)
        found = total - sum(sample.group == group for sample in missed)
        rows.append(Measurement(f"{title} ({total})", found / total, None, "share", RECALL))
    return Section("Share of secrets found, by kind of text", tuple(rows))


def _false_alarms(texts: list[str]) -> Section:
    lines = alarms = 0
    start = time.process_time()
    for text in texts:
        lines += text.count("\n") + 1
        alarms += len(scan(text)[1])
    seconds = time.process_time() - start
    rate = Measurement(
        f"per 1,000 lines of transcripts ({lines:,} lines)", 1000 * alarms / lines, None, "", FALSE_ALARMS
    )
    return Section("False alarms", (rate, Measurement("time per line", 1e6 * seconds / lines, None, "µs")))


def transcripts(data: Path) -> Iterator[str]:
    """Every text and every tool call of the coding sessions."""
    for path in sorted((data / "coding-sessions").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                for event in json.loads(line)["events"]:
                    yield event.get("text") or json.dumps(event.get("args", {}), ensure_ascii=False)


def _templates(group: str) -> Iterator[tuple[str, str]]:
    for line in (SETS / f"{group}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, _, template = line.partition("\t")
            yield kind, template


def _filled(group: str, kind: str, template: str, draw: _Draw) -> Sample:
    secrets: list[str] = []

    def fill(match: re.Match[str]) -> str:
        value, secret = draw.value(match[1])
        secrets.extend([value] * secret)
        return value

    text = re.sub(r"\{([A-Za-z]\d*|[a-z]{2,})\}", fill, template.replace("\\n", "\n").replace("\\\n", "\\n"))
    if group == "tokens" and " " not in text and "\n" not in text and "=" not in text:
        text = draw.random.choice(_AROUND).format(text)
    return Sample(group, kind, text, " ".join(secrets))


class _Draw:
    """Draws values for the names in templates."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.values: Mapping[str, Callable[[], str]] = {
            "password": self._password,
            "simplepw": lambda: self._chosen() if source.random() < 0.5 else self._letters("A", 12),
            "urlpw": lambda: self._letters("A", 14) if source.random() < 0.5 else self._chosen(),
            "connpw": self._chosen,
            "phrase": lambda: " ".join(source.sample(_WORDS, 4)),
            "basic": lambda: base64.b64encode(f"bob:{self._letters('A', 10)}".encode()).decode(),
            "uuid": lambda: str(uuid.UUID(int=source.getrandbits(128), version=4)),
        }

    def value(self, name: str) -> tuple[str, bool]:
        """A value for a name, and whether it is secret."""
        if name in _PUBLIC:
            return self.random.choice(_PUBLIC[name]), False
        if name in self.values:
            return self.values[name](), True
        return self._letters(name[0], int(name[1:])), name[0] != "d" and (int(name[1:]) > 5 or name[0] == "C")

    def _letters(self, kind: str, count: int) -> str:
        drawn = [self.random.choice(_LETTERS[kind]) for _ in range(count)]
        digits = [letter for letter in _LETTERS[kind] if letter.isdigit()]
        if digits and count > 2:
            drawn[count // 2] = self.random.choice(digits)
        if kind in "UB":
            drawn[0], drawn[-1] = self.random.choice(string.ascii_letters), self.random.choice(string.ascii_letters)
        return "".join(drawn)

    def _password(self) -> str:
        kinds = (self._chosen, self._chosen, self._random_password, lambda: "-".join(self.random.sample(_WORDS, 3)))
        return self.random.choice(kinds)()

    def _chosen(self) -> str:
        word = self.random.choice(_WORDS)
        return self.random.choice(
            (
                word.title() + str(self.random.randint(1990, 2030)) + self.random.choice(("", "!", "?")),
                word + str(self.random.randint(10, 999)),
                word.title() + self.random.choice(("!", "@", "#", "_", "-")) + str(self.random.randint(10, 99)),
                word.replace("e", "3").replace("o", "0").replace("a", "4") + str(self.random.randint(1, 9)),
                self.random.choice(_COMMON),
            )
        )

    def _random_password(self) -> str:
        letters = self._letters("A", self.random.randint(9, 16))
        at = self.random.randint(2, len(letters) - 2)
        return letters[:at] + self.random.choice("!#%*+-=?_.@^~") + letters[at:]


_LETTERS = {
    "A": string.ascii_letters + string.digits,
    "a": string.ascii_letters,
    "U": string.ascii_letters + string.digits + "_-",
    "B": string.ascii_letters + string.digits + "+/",
    "H": "0123456789abcdef",
    "X": "0123456789ABCDEF",
    "D": string.digits,
    "d": string.digits,
    "C": string.ascii_uppercase + string.digits,
    "K": string.ascii_uppercase + "234567",
    "T": string.ascii_uppercase + "234567",
    "L": string.ascii_lowercase + string.digits,
    "S": string.ascii_lowercase,
    "W": "".join(c for c in string.ascii_letters + string.digits if c not in "0OIl"),
}
_WORDS = (
    "summer winter harbour monkey dragon hockey tiger purple galaxy marble falcon rocket banana violin copper sommer"
    " schnee katze wolke garten soleil lune montagne riviere fromage chaussure tuesday castle pepper silver"
).split()
_COMMON = (
    "Passw0rd! SuperSecret1 TopSecret99 MyToken42x keymaster7 Userpass12 Hockey07 monkey99 letmein123 qwerty123 abc123!"
    " hunter2x Welcome1 P@ssword iloveyou2 trustno1 Replace9me Yourself1 Sampled42 pa$$word"
).split()
_PUBLIC = {"user": ("bob", "app_user", "deploy"), "host": ("db.acme.io", "build.internal"), "db": ("shop", "orders")}
