"""The commands to store, search, show, review, import and export memories."""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import holdfast as product


def test_a_stored_memory_is_found(holdfast):
    kept = holdfast("remember", "Deploys go out on Tuesdays.", "--type", "decision", "--tag", "release")
    assert (kept.code, kept.err) == (0, "")
    assert kept.out == f"Stored {kept.id}: new.\n"
    found = holdfast("search", "when", "do", "we", "deploy?")
    assert "Deploys go out on Tuesdays." in found.out
    assert kept.id in found.out
    assert found.out == f"likely  decision  {kept.id}  just now  taught by the user  Deploys go out on Tuesdays.\n"
    assert "words 1" in holdfast("search", "when do we deploy?", "--explain").out


def test_a_dash_reads_standard_input(holdfast):
    assert holdfast("remember", "-", stdin="Le varech tient à la roche.\n".encode()).code == 0
    assert "Le varech tient à la roche." in holdfast("list").out


def test_every_option_of_remember_arrives(holdfast, world):
    holdfast("init")
    (world / "src").mkdir()
    os.chdir(world / "src")
    answer = holdfast(
        "remember", "The importer gave up on nested archives.", "--type", "dead_end", "--file", "importer.py",
        "--file", "../README.md", "--tag", "import", "--confidence", "0.7", "--scope", "module", "--session", "s1",
        "--source", "agent_explicit", "--when", "2026-07-01T12:00:00Z", "--pin", "--json",
        "--field", 'approach_tried="unzip twice"', "--field", 'why_it_failed="too slow"',
    )  # fmt: skip
    memory = answer.json["memory"]
    assert (answer.code, answer.json["outcome"]) == (0, "stored")
    assert memory["files"] == ["src/importer.py", "README.md"]
    assert (memory["tags"], memory["confidence"], memory["scope"]) == (["import"], 0.7, "module")
    assert (memory["session"], memory["source"], memory["pinned"]) == ("s1", "agent_explicit", True)
    assert memory["event_time"] == "2026-07-01T12:00:00.000Z"
    assert memory["fields"] == {"approach_tried": "unzip twice", "why_it_failed": "too slow"}


def test_the_same_text_again_is_a_duplicate(holdfast):
    first = holdfast("remember", "The kelp farm closes at six.")
    again = holdfast("remember", "The kelp farm closes at six.")
    assert again.out == f"Already known as {first.id}: the same text is already stored.\n"
    assert again.code == 0


def test_a_known_text_that_replaces_another_says_so(holdfast):
    old = holdfast("remember", "The office is in Lyon")
    new = holdfast("remember", "The office is in Paris")
    assert f"it may contradict {old.id}, “The office is in Lyon”" in new.out
    again = holdfast("remember", "The office is in Paris now")
    said, before = again.out.splitlines()
    assert said == f"Already known as {new.id}, which now replaces {old.id}. Undo: holdfast restore {old.id}"
    assert before == "  before  The office is in Lyon"


def test_a_secret_is_removed_and_reported(holdfast):
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    answer = holdfast("remember", f"The staging bucket belongs to the account with key {key}, owned by Ada.")
    assert answer.code == 0
    assert "1 secret removed" in answer.out
    assert key not in answer.out + holdfast("show", answer.id).out + holdfast("export").out


def test_lines_keeps_many_at_once(holdfast):
    answer = holdfast("remember", "--lines", stdin=b"Tides turn twice a day.\n\nok\nGulls nest on the north cliff.\n")
    assert answer.out.count("Stored") == 2
    assert answer.err.startswith("holdfast: Refused: ")
    assert answer.code == 1
    assert len(holdfast("list", "--json").json) == 2


def test_a_courtesy_is_refused(holdfast):
    answer = holdfast("remember", "thanks!")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("holdfast: Refused: the text is a courtesy")


def test_a_person_can_insist_on_a_courtesy(holdfast):
    answer = holdfast("remember", "--force", "thanks!")
    assert answer.code == 0
    assert [memory["content"] for memory in holdfast("list", "--json").json] == ["thanks!"]


def test_filters_narrow_a_search(holdfast, world):
    holdfast("remember", "Harbour lights are green.", "--tag", "light", "--file", "src/light.py")
    holdfast("remember", "Harbour walls are granite.", "--type", "decision", "--when", "2020-05-05")
    assert "granite" not in holdfast("search", "harbour", "--tag", "light").out
    assert "granite" not in holdfast("search", "harbour", "--file", "src").out
    assert "lights" not in holdfast("search", "harbour", "--type", "decision").out
    assert "lights" not in holdfast("search", "harbour", "--until", "2021-01-01").out
    assert "granite" not in holdfast("search", "harbour", "--since", "2021-01-01").out


def test_a_search_is_narrowed_by_visibility_module_and_review(holdfast, world):
    holdfast("remember", "Harbour lights are green.")
    flagged = holdfast("remember", "Harbour walls are granite.")
    holdfast("flag", flagged.id)
    with product.open(project=str(world)) as ws:
        ws.remember("Harbour cranes are tall.", visibility="team", modules=("crane",))
    asked = [("--visibility", "team"), ("--module", "crane"), ("--review",)]
    found = [
        [hit["text"] for hit in holdfast("search", "harbour", "--json", *options).json["hits"]] for options in asked
    ]
    assert found == [["Harbour cranes are tall."], ["Harbour cranes are tall."], ["Harbour walls are granite."]]


def test_no_hits_hints_at_weak_hits(holdfast):
    holdfast("remember", "The lighthouse keeper paints the door blue and the fence white every spring.")
    asked = ("search", "blue budget quarterly forecast spreadsheet totals for the next fiscal year")
    silent = holdfast(*asked)
    assert silent.code == 0
    assert "--all" in silent.out
    assert "lighthouse keeper" in holdfast(*asked, "--all").out
    assert holdfast("search", "zeppelin").out == "No hits.\n"


def test_explain_shows_ranks_measures_factors_and_steps(holdfast):
    holdfast("remember", "Deploys go out on Tuesdays.")
    holdfast("remember", "Deploys need two reviews.")
    said = holdfast("search", "deploys on tuesday", "--explain").out
    shown = (
        "Rank on each path",
        "BM25",
        "× memory",
        "relevance",
        "confidence",
        "Recipe default",
        "weigh the measures",
        "Skipped:",
    )
    assert [word for word in shown if word not in said] == []
    by_rank = holdfast("search", "deploys", "--explain", "--recipe", "rrf").out
    assert "join the ranks" in by_rank
    assert "BM25" not in by_rank


def test_json_holds_all_that_explain_shows(holdfast):
    holdfast("remember", "Deploys go out on Tuesdays.")
    answer = holdfast("search", "deploys", "--json", "--explain").json
    factors = answer["hits"][0]["why"]["factors"]
    assert {"bm25", "share", "relevance", "recency", "evidence"} <= set(factors)
    notes = {step["step"]: step["notes"] for step in answer["trace"]["steps"]}
    assert notes["weigh"]["weights"]["memory"]["bm25"] > 0
    assert set(notes["score"]["shares"]) == {"relevance", "recency", "frequency"}


def test_context_prints_the_pack_alone(holdfast):
    empty = holdfast("context", "deploy")
    assert (empty.code, empty.out) == (0, "")
    assert empty.err == "holdfast: No relevant memory to add to this prompt.\n"
    assert holdfast("context", "deploy", "--json").err == ""
    holdfast("remember", "Deploys go out on Tuesdays.", "--type", "decision")
    pack = holdfast("context", "-", "--phase", "implement", stdin=b"when do deploys go out?")
    assert "[Memory #" in pack.out
    assert pack.err == ""
    whole = holdfast("context", "when do deploys go out?", "--budget", "500", "--json").json
    assert whole["text"] == pack.out.rstrip("\n")
    assert whole["tokens"] <= whole["budget"] == 500
    assert whole["citations"][0]["id"].startswith("mem_")


def test_correct_and_restore_undo_each_other(holdfast):
    old = holdfast("remember", "The build takes two minutes.").id
    corrected = holdfast("correct", old, "The build takes nine minutes.", "--reason", "measured", "--how", "outdated")
    assert corrected.code == 0
    assert f"Undo: holdfast restore {old}" in corrected.out
    assert "nine" in holdfast("list").out
    assert "two" not in holdfast("list").out
    shown = holdfast("show", old).out
    assert "Replaced by" in shown
    assert "measured" in shown
    undone = holdfast("restore", old)
    assert f"Restored {old}." in undone.out
    assert corrected.id in undone.out
    assert "two" in holdfast("list").out
    assert "nine" not in holdfast("list").out


def test_forget_and_restore_undo_each_other(holdfast):
    kept = holdfast("remember", "The north gate sticks in winter.")
    gone = holdfast("forget", kept.id, "--reason", "gate was mended")
    assert gone.out == f"Forgot {kept.id}. Undo: holdfast restore {kept.id}\n  text  The north gate sticks in winter.\n"
    assert "north gate" not in holdfast("search", "north gate").out
    assert "forgotten" in holdfast("list", "--forgotten").out
    assert holdfast("restore", kept.id).out == f"Restored {kept.id}.\n"
    assert "north gate" in holdfast("search", "north gate").out


def test_duplicates_are_merged(holdfast):
    stays = holdfast("remember", "Seals rest on the east beach at low tide.").id
    goes = holdfast("remember", "East beach belongs to the harbour office.").id
    assert holdfast("correct", goes, stays, "--how", "duplicate_of").code == 0
    assert goes not in holdfast("list").out


def test_an_outcome_is_recorded(holdfast):
    id = holdfast("remember", "Ferries run until ten.").id
    assert holdfast("outcome", id, "used").out == f"Recorded: {id} was used.\n"
    told = json.loads(holdfast("outcome", id, "contradicted", "--session", "monday", "--json").out)
    assert (told["memory"][-8:], told["outcome"], told["evidence"]) == (id, "contradicted", "stated")
    assert "Ferries" in holdfast("list", "--review").out
    assert holdfast("outcome", id, "liked").code == 2
    assert holdfast("outcome", "zzzzzzzz", "used").code == 1


def test_confirm_flag_and_pin(holdfast):
    id = holdfast("remember", "Ferries run until ten.", "--source", "agent_explicit").id
    assert "review" in holdfast("flag", id, "heard", "otherwise").out
    assert "Ferries" in holdfast("list", "--review").out
    assert holdfast("confirm", id).code == 0
    assert holdfast("list", "--review").out == "Nothing to review.\n"
    assert holdfast("pin", id).out == f"Pinned {id}.\n"
    assert holdfast("pin", id, "--off").out == f"Unpinned {id}.\n"
    history = holdfast("show", id).out
    for verb in ("remember", "flag", "heard otherwise", "confirm", "pin", "unpin"):
        assert verb in history


def test_what_is_personal_is_said_listed_moved_and_exported(holdfast, world):
    stored = holdfast("remember", "I prefer short answers", "--type", "preference")
    assert "It holds in all of your projects." in stored.out
    agents = holdfast("remember", "The user prefers tea", "--type", "preference", "--source", "agent_explicit")
    kept = holdfast("remember", "I prefer tabs", "--type", "preference", "--visibility", "project").id
    assert "all of your projects" not in agents.out
    shown = holdfast("personal").out
    assert stored.id in shown.split("Also about you")[0]
    assert agents.id in shown.split("Also about you")[1]
    assert kept in shown.split("Also about you")[1]
    assert re.search("short answers", holdfast("list", "--visibility", "personal").out)
    assert "personal" in holdfast("show", stored.id).out.splitlines()[0]
    moved = holdfast("personal", agents.id)
    assert "holds in all of your projects" in moved.out
    holdfast("export", "--personal", "-o", "mine.json")
    assert "tea" in (world / "mine.json").read_text()
    assert "tabs" not in (world / "mine.json").read_text()
    refused = holdfast("import", "mine.json")
    assert (refused.code, "--personal" in refused.err) == (2, True)
    assert "already known 2" in holdfast("import", "--personal", "mine.json").out
    assert "this project only" in holdfast("personal", "--off", moved.id).out
    assert [memory["content"] for memory in holdfast("personal", "--json").json["personal"]] == [
        "I prefer short answers"
    ]


def test_list_shows_the_time_that_its_filters_compare(holdfast):
    holdfast("remember", "The pier was rebuilt.", "--when", "2024-05-06T12:00:00Z")
    assert "2024-05-06" in holdfast("list").out
    assert holdfast("list", "--since", "2025-01-01").out == "Nothing found.\n"


def test_list_orders_and_pages(holdfast):
    for text in ("Anchors rust.", "Buoys drift.", "Cranes creak."):
        holdfast("remember", text)
    newest = [memory["content"] for memory in holdfast("list", "--json").json]
    assert newest == ["Cranes creak.", "Buoys drift.", "Anchors rust."]
    page = holdfast("list", "--order", "oldest", "--limit", "1", "--offset", "1", "--json").json
    assert [memory["content"] for memory in page] == ["Buoys drift."]


def test_global_options_work_before_and_after_the_command(holdfast, tmp_path):
    other = str(tmp_path / "other.db")
    holdfast("--db", other, "remember", "Mussels are blue.")
    assert "Mussels" not in holdfast("list").out
    assert "Mussels" in holdfast("list", "--db", other).out
    assert "Mussels" in holdfast("--json", "--db", other, "list").json[0]["content"]


def test_a_project_is_named_by_folder_or_by_name(holdfast, tmp_path):
    (tmp_path / "reef").mkdir()
    holdfast("remember", "Corals are animals.", "--project", str(tmp_path / "reef"))
    assert "Corals" not in holdfast("list").out
    assert "Corals" in holdfast("list", "--project", "reef").out


def test_an_import_says_what_a_limit_left_out(holdfast, tmp_path, monkeypatch):
    monkeypatch.setattr("holdfast.importers.file_importer._MOST_ITEMS", 2)
    rows = [{"id": n, "memory": f"The lamp {n} hangs in room {n * 31}"} for n in range(3)]
    (tmp_path / "mem0.json").write_text(json.dumps(rows))
    first, second = (holdfast("import", str(tmp_path / "mem0.json")).out for _ in range(2))
    assert first.endswith(
        "stored 2, already known 0, not yet imported 1.\nRun the same command again to import what is left.\n"
    )
    assert second.endswith("stored 1, already known 2.\n")


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_an_export_can_be_imported(holdfast, tmp_path, form):
    holdfast("remember", "Tides turn twice a day.", "--type", "decision")
    holdfast("remember", "Gulls nest on the north cliff.")
    file = tmp_path / f"out.{'md' if form == 'markdown' else 'json'}"
    assert holdfast("export", "--format", form, "-o", str(file)).code == 0
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    other = ("--db", str(tmp_path / "other.db"))
    assert holdfast("import", "--trust", str(file), *other).code == 0
    assert all(memory["verified"] for memory in holdfast("list", "--json", *other).json)
    assert {m["content"] for m in holdfast("list", "--json", *other).json} == {
        "Tides turn twice a day.", "Gulls nest on the north cliff."
    }  # fmt: skip
    assert [p.name for p in tmp_path.glob(".out*")] == []


def test_an_export_to_a_full_disk_says_so_and_keeps_the_earlier_one(holdfast, tmp_path, monkeypatch):
    holdfast("remember", "The ferry leaves at seven.")
    (tmp_path / "out.json").write_text("earlier")

    def full(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    failed = holdfast("export", "-o", str(tmp_path / "out.json"))
    assert (failed.code, failed.out) == (2, "")
    assert failed.err.startswith("holdfast: The file cannot be written: ")
    assert "No space left on device" in failed.err
    assert (tmp_path / "out.json").read_text() == "earlier"
    assert [name for name in os.listdir(tmp_path) if name.startswith(".out")] == []


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="files in memory at /dev/shm are Linux's")
def test_an_export_replaces_a_file_in_memory(holdfast):
    holdfast("remember", "The ferry leaves at seven.")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for _ in range(2):
            assert holdfast("export", "-o", f"{folder}/out.json").code == 0
        assert json.loads(Path(folder, "out.json").read_text())["memories"]


def test_an_export_follows_no_link_of_the_project(holdfast, tmp_path):
    holdfast("remember", "The ferry leaves at seven.")
    (tmp_path / "profile").write_text("mine")
    Path("out.json").symlink_to(tmp_path / "profile")
    failed = holdfast("export", "-o", "out.json")
    assert failed.code == 2
    assert "out.json is a link" in failed.err
    assert (tmp_path / "profile").read_text() == "mine"


def test_an_export_never_replaces_a_device_a_pipe_or_a_link(holdfast, tmp_path):
    """As root, replacing /dev/stdout or /dev/full would break them for every program."""
    holdfast("remember", "The ferry leaves at seven.")
    (tmp_path / "full").symlink_to("/dev/full")
    failed = holdfast("export", "-o", str(tmp_path / "full"))
    assert (failed.code, (tmp_path / "full").is_symlink()) == (2, True)
    assert "No space left on device" in failed.err

    (tmp_path / "real.json").write_text("")
    (tmp_path / "link.json").symlink_to("real.json")
    holdfast("export", "-o", str(tmp_path / "link.json"))
    assert (tmp_path / "link.json").is_symlink()
    assert "ferry" in (tmp_path / "real.json").read_text()

    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor() as pool:
        read = pool.submit((tmp_path / "pipe").read_text)
        assert holdfast("export", "-o", str(tmp_path / "pipe")).code == 0
        assert "ferry" in read.result()
    assert (tmp_path / "pipe").is_fifo()


def test_export_is_piped_into_import(holdfast, tmp_path):
    holdfast("remember", "Tides turn twice a day.")
    text = holdfast("export").out
    assert json.loads(text)["format"] == "holdfast"
    answer = holdfast("import", "-", "--db", str(tmp_path / "other.db"), stdin=text.encode())
    assert answer.out.startswith("Imported: added 1, already known 0.\n1 memory is marked in the file as taught")
    answer = holdfast("import", "-", "--trust", "--db", str(tmp_path / "other.db"), stdin=text.encode())
    assert answer.out == "Imported: added 0, already known 1, verified 1.\n"


def test_results_of_writing_are_json_too(holdfast):
    id = holdfast("remember", "Ferries run until ten.", "--json").json["memory"]["id"]
    assert holdfast("confirm", id, "--json").json["verified"] is True
    assert holdfast("forget", id, "--json").json["forgotten_at"]
    assert holdfast("restore", id, "--json").json["memory"]["id"] == id
    assert holdfast("correct", id, "Ferries run until nine.", "--json").json["superseded"] == [id]


def test_a_refusal_is_json_too(holdfast):
    answer = holdfast("remember", "ok", "--json")
    assert (answer.code, answer.err, answer.json["outcome"]) == (1, "", "refused")


def test_search_by_time_range_and_phase(holdfast):
    for day in range(1, 4):
        said = f"The tide of day {day} reached the {'red green blue'.split()[day - 1]} mark."
        holdfast("remember", said, "--session", f"s{day}", "--when", f"2026-07-0{day}T12:00:00Z")
    recent = holdfast("search", "tide mark", "--temporal", "recent:2", "--phase", "coding", "--json").json
    assert [hit["memory"]["session"] for hit in recent["hits"]] == ["s3", "s2"]
    window = holdfast("search", "tide mark", "--temporal", "window:..2026-07-01T23:00Z", "--json").json
    assert [hit["memory"]["session"] for hit in window["hits"]] == ["s1"]


def test_context_supplies_nothing_twice_to_a_session(holdfast):
    holdfast("remember", "Answer in short sentences", "--type", "preference")
    holdfast("remember", "Deploys go out on Tuesdays")
    asked = ("context", "when do deploys go out?", "--session", "s")
    assert "Tuesdays" in holdfast(*asked).out
    assert holdfast(*asked).out == ""
    again = holdfast(*asked, "--repeat").out
    assert "Tuesdays" in again
    assert "short sentences" in again


@pytest.mark.parametrize("command", ["confirm", "pin"])
def test_confirming_or_pinning_a_replaced_memory_says_that_it_stays_replaced(holdfast, command):
    old = holdfast("remember", "Tides turn twice a day.").id
    holdfast("correct", old, "Tides turn every six hours.")
    assert f"It stays replaced. To bring it back: holdfast restore {old}" in holdfast(command, old).out


def test_several_ids_at_once_and_undo(holdfast):
    ids = [holdfast("remember", f"Rule {n} of the harbour.").id for n in (1, 2)]
    assert holdfast("forget", *ids).out.count("Forgot") == 2
    assert holdfast("list").out == "No memories. `holdfast remember TEXT` stores one.\n"
    undone = holdfast("undo").out
    assert undone.startswith("Undid `forget` of 2 memories; `holdfast redo` does it again:")
    assert undone.count("restored") == 2
    assert len(holdfast("list", "--json").json) == 2
    assert holdfast("forget", ids[0], "zzzzzzzz").code == 1
    assert len(holdfast("list", "--json").json) == 2


def test_undo_can_be_tried_done_and_taken_back(holdfast):
    holdfast("remember", "The harbour opens at six.")
    assert holdfast("log").out.endswith("1 memory  The harbour opens at six.\n")
    assert holdfast("undo", "--dry-run").out.startswith("`undo` would take back `remember` of 1 memory:")
    assert len(holdfast("list", "--json").json) == 1
    assert "forgotten" in holdfast("undo").out
    assert "(undone) The harbour opens at six." in holdfast("log").out
    assert [entry["undone"] for entry in holdfast("log", "--json").json] == [True]
    redone = holdfast("redo").out
    assert redone.startswith("Did `remember` of 1 memory again:")
    assert "restored" in redone
    assert len(holdfast("list", "--json").json) == 1
    assert holdfast("redo").code == 1


def test_undo_after_an_import_of_sessions_says_what_is_undone(holdfast, tmp_path):
    said = {"role": "user", "content": "From now on the changelog is written in French."}
    record = {"type": "user", "sessionId": "s1", "uuid": "u1", "timestamp": "2026-11-01T10:00:00Z", "message": said}
    (tmp_path / "s1.jsonl").write_text(json.dumps(record) + "\n")
    holdfast("session", "import", str(tmp_path / "s1.jsonl"), "--format", "claude-code")
    assert "The latest change was `session import`. Nothing was learned" in holdfast("undo").out
    holdfast("upkeep", "consolidate")
    assert holdfast("undo").out.startswith("Undid `session import` of 1 memory;")
    assert "a change to undo" in holdfast("undo").err


def test_instruction_files_are_imported_once_and_a_folder_without_any_says_so(holdfast, tmp_path):
    file = tmp_path / "AGENTS.md"
    file.write_text("# Rules\n\n- Never push to main without a review.\n", "utf-8")
    assert holdfast("import", str(file)).out == f"{file} (instructions): stored 1, already known 0.\n"
    assert holdfast("import", str(file)).out == f"{file} (instructions): stored 0, already known 1.\n"
    [again] = holdfast("import", str(file), "--json").json["files"]
    assert again == {"path": str(file), "kind": "instructions", "counts": {"stored": 0, "duplicate": 1}, "problem": ""}
    (tmp_path / "empty").mkdir()
    assert holdfast("import", str(tmp_path / "empty")).out == "There is nothing to import.\n"


def test_a_memory_is_erased_for_good(holdfast):
    id = holdfast("remember", "The spare key is under the third stone.", "--json").json["memory"]["id"]
    holdfast("remember", "Bob said: the spare key is under the third stone.")
    said = holdfast("forget", id, "--erase")
    assert said.out.startswith(f"Erased {id[-8:]} for good.\nThe same text was removed from: ")
    assert "stone" not in holdfast("export").out
    assert "was erased" in holdfast("restore", id).err
    assert holdfast("show", id, "--json").json["memory"]["content"] == "[erased]"


def test_erasing_a_correction_names_the_text_before_it(holdfast):
    before = holdfast("remember", "The ferry to Kirkwall leaves from quay 7.").id
    after = holdfast("correct", before, "The ferry to Kirkwall leaves from quay 9.").id
    hint = f"The text before a correction stays: holdfast forget {before} --erase\n"
    assert holdfast("forget", after, "--erase").out == f"Erased {after} for good.\n{hint}"
    assert holdfast("forget", before, "--erase").out == f"Erased {before} for good.\n"


def test_the_next_command_finishes_an_erasure_and_says_so(holdfast, database, monkeypatch):
    text = "The spare key is under the third stone."
    id = holdfast("remember", text, "--json").json["memory"]["id"]
    holdfast("memory", "sync")
    with product.open(background=False) as ws:
        ws.container.store.erasure.record(ws.project, [id], [text])
    with monkeypatch.context() as patch:
        patch.setattr("holdfast.system.files.os.replace", _refused)
        listed = holdfast("list")
        assert listed.code == 0
        assert listed.err.startswith("holdfast: An erasure is not finished yet (")
    assert holdfast("list").err == "holdfast: Finished the erasure of 1 memory, which was interrupted.\n"
    assert holdfast("list").err == ""
    assert b"third stone" not in database.read_bytes()
    assert all(b"third stone" not in file.read_bytes() for file in Path.cwd().rglob("*.md"))


def _refused(*_):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def test_a_type_may_be_called_as_people_call_it(holdfast):
    stored = holdfast("remember", "Run the tide tests before a commit.", "--type", "rule")
    assert "Its type is requirement." in stored.out
    assert "tide tests" in holdfast("list", "--type", "Rule").out


def test_messages_are_listed_only_if_asked_for(holdfast, world, monkeypatch):
    kept = holdfast("remember", "Gulls nest on the north cliff.").id
    with product.open(project=str(world)) as ws:
        ws.session("s1").say("user", "When does the harbour close?")
    assert [memory["id"][-8:] for memory in holdfast("list", "--json").json] == [kept]
    assert "harbour" in holdfast("list", "--messages").out
    assert "Gulls" in holdfast("list", "--messages").out
    only = holdfast("list", "--type", "episode").out
    assert ("harbour" in only, "Gulls" in only) == (True, False)
    holdfast("forget", kept)
    monkeypatch.setattr("holdfast.interfaces.cli.memory_commands.is_terminal", lambda: True)
    assert "1 message of conversations: `holdfast list --messages`" in holdfast("list").out


def test_every_hit_is_one_line_in_a_pipe_and_breaks_on_a_screen(holdfast, monkeypatch):
    for text in ("Gulls nest on the north cliff.\n\nThey come in May.", "Gulls eat mussels."):
        holdfast("remember", text)
    piped = holdfast("search", "what do gulls do?").out.splitlines()
    assert len(piped) == 2
    assert all(line.count("Gulls") == 1 and not line.startswith(" ") for line in piped)
    monkeypatch.setenv("COLUMNS", "100")
    assert len(holdfast("search", "what do gulls do?").out.splitlines()) == 4


def test_a_search_where_nothing_is_stored_names_the_next_step(holdfast):
    ran = holdfast("search", "tides")
    assert ran.out == "No hits.\n"
    assert "nothing is stored in this project yet; `holdfast init` shows what to begin with" in ran.err
    assert holdfast("search", "tides", "--json").err == ""
    holdfast("remember", "Gulls nest on the north cliff.")
    assert holdfast("search", "zeppelin").err == ""


@pytest.mark.parametrize(("answer", "erased"), [("y\n", True), ("\n", False), ("", False)])
def test_on_a_terminal_erasing_asks_first(holdfast, monkeypatch, answer, erased):
    id = holdfast("remember", "The spare key is under the third stone.").id
    monkeypatch.setattr("holdfast.interfaces.cli.confirmation.can_ask", lambda: True)
    monkeypatch.setattr("holdfast.interfaces.cli.confirmation.read_answer", lambda: answer)
    said = holdfast("forget", id, "--erase")
    assert "third stone" in said.out
    assert said.code == int(not erased)
    assert ("third stone" not in holdfast("export").out) is erased


def test_a_file_that_does_not_exist_is_mentioned(holdfast, world):
    (world / "tides.py").write_text("")
    assert "Note" not in holdfast("remember", "Tides count from zero.", "--file", "tides.py").out
    said = holdfast("remember", "Currents count from one.", "--file", "curents.py")
    assert said.out.startswith("Stored ")
    assert "Note: curents.py does not exist." in said.out


def test_search_takes_other_wordings(holdfast):
    holdfast("remember", "Relevance judgments are collected by a panel of 14 librarians.")
    query = ("search", "who decides whether results are good?")
    assert "librarians" not in holdfast(*query).out
    assert "librarians" in holdfast(*query, "--also", "relevance judgments", "--also", "panel of librarians").out
    both = holdfast(*query, "--also", "judges", "--mode", "keyword")
    assert both.code == 2
    assert "--also" in both.err
