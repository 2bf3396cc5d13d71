"""The command entity."""

from __future__ import annotations

import pytest


@pytest.fixture
def known(holdfast):
    for text in ("My colleague Priya owns src/billing.py.", "We asked Priya about Kubernetes.", "My boss Bob sails."):
        assert holdfast("remember", text).code == 0
    assert holdfast("upkeep", "enrich").code == 0
    return holdfast


def test_show_is_the_default_subcommand_of_entity(known):
    said = known("entity", "priya").out
    for part in ("Priya", "person", "in 2 memories", "We asked Priya", "Mentioned together with", "Kubernetes"):
        assert part in said
    assert known("entity", "show", "priya").out == said


def test_the_profile_as_json_has_every_field(known):
    told = known("entity", "Priya", "--json").json
    assert sorted(told) == ["entity", "memories", "neighbours", "timeline"]
    assert (told["entity"]["type"], told["entity"]["mentions"]) == ("person", 2)
    assert sorted(told["neighbours"][0]) == ["entity", "together"]


def test_the_list_starts_with_the_most_mentioned(known):
    assert known("entity", "list").out.startswith("Priya")
    assert [one["name"] for one in known("entity", "list", "--type", "person", "--json").json] == ["Priya", "Bob"]
    assert "Nothing found." in known("entity", "list", "--type", "email").out
    assert "src/billing.py  file " in known("entity", "list").out


def test_merge_and_rename_keep_both_names(known):
    how = "Link older memories that mention it: holdfast upkeep link.\n"
    assert known("entity", "rename", "Bob", "Robert Smith").out == f"Robert Smith is also known as Bob.\n{how}"
    assert known("entity", "merge", "Priya", "robert smith").out == f"Priya is also known as Bob, Robert Smith.\n{how}"
    assert "in 3 memories" in known("entity", "bob").out


def test_a_merge_is_undone(known):
    known("entity", "merge", "Priya", "Bob")
    assert known("entity", "split", "bob").out == "Bob is a separate entity again, mentioned in 1 memory.\n"
    assert "in 2 memories" in known("entity", "Priya").out
    again = known("entity", "split", "Bob")
    assert (again.code, "Nothing was merged." in again.err) == (1, True)


def test_a_protected_entity_is_not_merged_away(known):
    assert known("entity", "protect", "Bob").out == "Bob is protected.\n"
    assert known("entity", "merge", "Priya", "Bob").code == 2
    assert known("entity", "protect", "Bob", "--off").out == "Bob is not protected.\n"
    assert known("entity", "describe", "Bob", "Sails", "alone.").out == "Bob: Sails alone.\n"
    assert "Sails alone." in known("entity", "Bob").out


def test_a_name_nobody_knows_is_one_line_with_a_hint(known):
    ran = known("entity", "zebra")
    assert (ran.code, ran.out) == (1, "")
    assert "entity list" in ran.err
