"""The sources of training: terms are stated, and files are read out of git at the stated commit."""

import json
import subprocess
from pathlib import Path

import pytest
from training.reader_rows import SESSIONS
from training.sources import Mirrors, MissingFile, sources

from training import answer_sets, inference_sets
from training import sources as module

ALLOWED = {
    "Apache-2.0",
    "MIT",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC-BY-4.0",
    "CC0-1.0",
    "ISC",
    "Unlicense",
    "CDLA-Permissive-2.0",
    "CC-BY-2.0-FR",
    "CC-BY-3.0-US",
    "Apache-2.0 OR MIT",
    "public domain OR CC0-1.0",
    "Matplotlib (PSF-based)",
}
# Sets of the reader only. C-UDA 1.0 says that models trained on its data are free. CC BY-SA is taken to bind those who
# share its texts, which are not in the package, and not a model that was trained on them.
ALLOWED_FOR_READER = ALLOWED | {"CC-BY-SA-4.0", "CC-BY-SA-3.0", "CC-BY-SA-2.5", "C-UDA-1.0", "etalab-2.0"}


def test_every_source_states_its_commit_and_a_licence_that_allows_the_use():
    for source in sources().values():
        assert source.licence in (ALLOWED_FOR_READER if source.trains == "reader" else ALLOWED), source
        assert len(source.commit) == 40, source
        assert source.stated_in, source
        assert source.used, source
        assert source.attribution, source


def test_the_public_sets_are_the_sources_of_the_reader():
    inference = {part.repository for each in inference_sets.SETS for part in each.parts}
    answers = {repository for each in answer_sets.SETS for repository in each.repositories}
    assert inference | answers | set(SESSIONS) == {
        name for name, source in sources().items() if source.teaches("reader")
    }


@pytest.fixture
def mirrors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    work = tmp_path / "owner+name"
    (work / "talk").mkdir(parents=True)
    (work / "talk" / "a.json").write_text('{"turns": 1}')
    git = ["git", "-C", str(work), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    (work / "talk" / "a.json").write_text('{"turns": 2}')
    subprocess.run([*git, "commit", "-qam", "second"], check=True)
    entry = {
        "repository": "owner/name",
        "commit": commit,
        "licence": "MIT",
        "stated_in": "LICENSE",
        "used": "all",
        "attribution": "a",
    }
    listing = tmp_path / "sources.json"
    listing.write_text(json.dumps([entry]))
    monkeypatch.setattr(module, "SOURCES", listing)
    sources.cache_clear()
    yield Mirrors(tmp_path)
    sources.cache_clear()


def test_a_file_is_read_at_the_stated_commit(mirrors: Mirrors):
    assert mirrors.json("owner/name", "talk/a.json") == {"turns": 1}
    assert mirrors.files("owner/name", "talk/") == ["talk/a.json"]


def test_what_is_missing_is_named(mirrors: Mirrors):
    with pytest.raises(MissingFile, match=r"talk/b\.json"):
        mirrors.read("owner/name", "talk/b.json")
    with pytest.raises(MissingFile):
        mirrors.git_folder("owner/other")
