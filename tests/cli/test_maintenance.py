"""The commands init, stats, doctor, upkeep, models, bench and completion."""

from __future__ import annotations

import re
import subprocess
from types import SimpleNamespace

import pytest

import holdfast as holdfast_package
from holdfast.container.job_table import JOBS as JOB_TABLE
from holdfast.core.errors import StoreFull
from holdfast.interfaces.messages.upkeep_messages import COUNTS, JOB_TITLES, JOBS, NOT_SHOWN
from holdfast.system.lease_holder import this_process
from tests.models.servers import Answer, ModelServer
from tests.store.database import delete_passages


def test_init_shows_where_memory_is_stored_and_marks_the_folder(holdfast, world, database):
    said = holdfast("init").out
    for word in ("Project kelp", str(world), "its marker", str(database), "holdfast remember"):
        assert word in said
    assert (world / ".holdfast" / "project").exists()


def test_init_in_git_recognises_the_repository(holdfast, world):
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "remote", "add", "origin", "https://example.org/sea/weed.git"], check=True)
    said = holdfast("init", "--json").json
    assert (said["name"], said["marker"], said["memories"]) == ("weed", None, 0)
    assert "example.org/sea/weed" in said["recognised_by"]["text"]


def test_stats_counts_by_type(holdfast):
    holdfast("remember", "Tides turn twice a day.", "--type", "decision")
    gone = holdfast("remember", "Gulls nest on the north cliff.")
    holdfast("forget", gone.id)
    said = holdfast("stats").out
    assert "2 memories, 0 messages, 1 project" in said
    by_type = {count["type"]: count for count in holdfast("stats", "--json").json["by_type"]}
    assert (by_type["decision"]["believed"], by_type["fact"]["forgotten"]) == (1, 1)


def test_stats_counts_the_documents_of_this_project(holdfast, world):
    (world / "README.md").write_text("# Tides\n\nThey turn twice a day.\n\n# Gulls\n\nThey nest.\n", "utf-8")
    (world / "notes.md").write_text("# Notes\n\nNone yet.\n", "utf-8")
    assert "0 documents, 0 chunks" in holdfast("stats").out
    holdfast("index")
    told = holdfast("stats", "--json").json
    assert (told["documents"], told["chunks"] >= 2) == (2, True)
    assert f"2 documents, {told['chunks']} chunks" in holdfast("stats").out


def test_every_job_has_its_help(ws):
    assert [job.name for job in JOB_TABLE] == list(JOBS)


def test_every_job_and_what_it_counts_has_a_name_for_people(ws):
    ws.session("s").say("user", "From now on the crane is checked by Priya.")
    ran = ws.upkeep()
    counted = {name for result in ran.values() for name, value in result.items() if isinstance(value, int)}
    assert set(ran) == set(JOB_TITLES)
    assert counted - {*COUNTS, *NOT_SHOWN} == set()


def test_stats_names_jobs_in_words(holdfast, monkeypatch):
    monkeypatch.setattr("holdfast.upkeep.runner._LINGER_SECONDS", 0.0)
    monkeypatch.setattr("os.nice", lambda by: by)
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "fake")
    holdfast("remember", "Tides turn twice a day.")
    holdfast("upkeep", "--background")
    said = holdfast("stats").out
    assert re.search(r"just now +embed passages +embedded 1\n", said)
    assert not re.search(r"\b(evict|anchors|consolidate)\b|dropped 0|holder", said)
    assert re.search(r"vectoriser les passages +vectorisés 1\n", holdfast("stats", "--lang", "fr").out)


def test_doctor_finds_a_fresh_store_sound(holdfast, monkeypatch):
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "fake")
    monkeypatch.setenv("HOLDFAST_EMBED_WHEN", "now")
    holdfast("remember", "Tides turn twice a day.")
    ran = holdfast("doctor")
    assert ran.code == 0
    assert ran.out.endswith("No problems found.\n")
    assert "✗" not in ran.out


def test_doctor_points_to_warnings(holdfast, monkeypatch):
    holdfast("remember", "Tides turn twice a day.")
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=0))
    ran = holdfast("doctor")
    assert ran.code == 0
    assert "! disk space" in ran.out
    assert ran.out.endswith("The database is sound; see the lines marked !.\n")


@pytest.mark.parametrize(
    ("script", "said"), [("echo ready", "answers"), ("echo oops >&2; exit 3", "ended with 3: oops")]
)
def test_doctor_says_whether_a_program_answers(holdfast, monkeypatch, script, said):
    monkeypatch.setenv("HOLDFAST_LLM_COMMAND", f"sh -c '{script}'")
    ran = holdfast("doctor")
    assert said in ran.out
    assert ran.out.count("Run the program in a terminal") == ran.out.count("failed:") == said.count("ended")


def test_doctor_says_what_is_wrong_and_repairs_it(holdfast, database):
    holdfast("remember", "Tides turn twice a day.")
    delete_passages(database)
    ill = holdfast("doctor")
    assert ill.code == 1
    assert "✗ searchable" in ill.out
    assert "holdfast doctor --repair" in ill.out
    assert holdfast("doctor", "--json").json["sound"] is False
    healed = holdfast("doctor", "--repair")
    assert healed.code == 0
    assert "Repaired: " in healed.out
    assert "Tides" in holdfast("search", "tides").out


def test_upkeep_embeds_pending_passages(holdfast, monkeypatch):
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "fake")
    holdfast("remember", "Tides turn twice a day.")
    assert "1 passage waiting for its embedding" in holdfast("stats").out
    assert "embedded 1" in holdfast("upkeep").out
    assert holdfast("upkeep", "embed", "--json").json == {"embed": {"embedded": 0, "dropped": 0}}
    assert "for its vector" not in holdfast("stats").out
    assert "meaning 1" in holdfast("search", "tides", "--explain").out


def test_the_background_process_does_the_same(holdfast, monkeypatch):
    monkeypatch.setattr("holdfast.upkeep.runner._LINGER_SECONDS", 0.0)
    monkeypatch.setattr("os.nice", lambda by: by)
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "fake")
    holdfast("remember", "Tides turn twice a day.")
    assert "embedded 1" in holdfast("upkeep", "--background").out


def test_a_background_process_that_cannot_write_starts_no_other_one(holdfast, database, monkeypatch):
    """On a full disk, the lease of an earlier process stays; every process would start the next, without end."""
    started = []
    holdfast("remember", "Tides turn twice a day.")
    with holdfast_package.open(str(database)) as ws:
        ws.container.store.jobs.take("upkeep", f"{this_process().partition(':')[0]}:4194304", 30.0)
    monkeypatch.delenv("HOLDFAST_BACKGROUND")
    monkeypatch.setattr("holdfast.upkeep.background.start", lambda *command: started.append(command))
    monkeypatch.setattr("holdfast.upkeep.background.run", full_disk)
    assert holdfast("upkeep", "--background").code == 1
    assert started == []
    assert holdfast("list").code == 0
    assert len(started) == 1


def full_disk(*_arguments, **_settings):
    raise StoreFull("memory.db")


def test_models_lists_the_bundled_one_and_remembers_a_choice(holdfast, monkeypatch):
    monkeypatch.delenv("HOLDFAST_EMBEDDER")
    assert "bundled" in holdfast("models", "list").out
    assert holdfast("models", "use", "fake").code == 0
    assert holdfast("models", "list", "--json").json["embedder"] == "fake"


def test_a_model_nobody_serves_is_one_line(holdfast, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HUB_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("HOLDFAST_HTTP_RETRIES", "0")
    ran = holdfast("models", "pull", "sea/weed")
    assert (ran.code, ran.err.count("\n")) == (1, 1)


def test_pulling_is_tried_again_as_often_as_the_settings_say(holdfast, monkeypatch):
    with ModelServer() as server:
        server.script = [Answer(500)] * 3
        monkeypatch.setenv("HOLDFAST_HUB_URL", server.url)
        monkeypatch.setenv("HOLDFAST_HTTP_RETRIES", "0")
        assert holdfast("models", "pull", "sea/weed").code == 1
        assert len(server.requests) == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(holdfast, shell):
    ran = holdfast("completion", shell)
    assert ran.code == 0
    assert "_HOLDFAST_COMPLETE" in ran.out


@pytest.fixture
def complete(holdfast, monkeypatch):
    """What a shell gets to complete a line."""

    def complete(line):
        with monkeypatch.context() as patch:
            patch.setenv("_HOLDFAST_COMPLETE", "bash_complete")
            patch.setenv("COMP_WORDS", line)
            patch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
            return holdfast().out

    return complete


def test_completion_knows_commands_options_and_types(complete):
    assert "remember" in complete("holdfast re")
    assert "--explain" in complete("holdfast search --e")
    assert "decision" in complete("holdfast remember --type de")


def test_completion_knows_ids_and_leaves_files_to_the_shell(holdfast, complete):
    first, second = (holdfast("remember", text).id for text in ("Tea is at four.", "The gate shuts at dusk."))
    assert set(complete("holdfast show ").split()) == {f"plain,{first}", f"plain,{second}"}
    assert complete(f"holdfast confirm {first} {second[:5]}") == f"plain,{second}\n"
    holdfast("forget", first)
    assert first in complete(f"holdfast restore {first[:3]}")
    assert complete("holdfast remember --file src/") == "file,src/\n"
    assert complete("holdfast impact src/ca") == "file,src/ca\n"


def test_completion_says_nothing_where_memory_cannot_be_read(holdfast, complete, tmp_path):
    (tmp_path / "text.db").write_text("no database")
    assert complete(f"holdfast --db {tmp_path}/text.db show ") == "\n"


def test_bench_gets_its_arguments(holdfast, monkeypatch):
    given = []

    class Bench:
        @staticmethod
        def main(argv):
            given.extend(argv)
            return 3

    monkeypatch.setattr("holdfast.bench.run.main", Bench.main)
    assert holdfast("bench", "store", "--size", "10", "--help").code == 3
    assert given == ["store", "--size", "10", "--help"]
