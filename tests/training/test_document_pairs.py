"""Pairs from documents, code and commits, and texts without labels, on small inputs."""

import gzip
import json
import random

from training.dialogue_pairs import Pair
from training.dialogues import Dialogue, Turn
from training.document_pairs import commit_pair, section_pairs
from training.functions import functions, search_query
from training.held_out import HeldOut
from training.pair_files import with_known_negatives
from training.sections import Section, questions, sections
from training.texts import chat_texts, conversation_texts, drawn, translated_texts

LONG = "This sentence is here to make the section long enough to be kept by the rules for sections of documents. " * 2
MARKDOWN = (
    f"---\ntitle: 'Git guide'\n---\n# Start\n{LONG}\n## Creating a branch\n{LONG}{{% note %}}\n```\n# no heading\n```\n"
)
UNDERLINED = f"Title\n=====\n\n{LONG}\n\nWhy is it slow?\n---------------\n\n{LONG} See :ref:`there <label>`.\n"


def test_sections_of_both_kinds_of_headings():
    found = sections(MARKDOWN, marks="#")
    assert [(section.title, section.heading) for section in found] == [
        ("Git guide", "Start"),
        ("Git guide", "Creating a branch"),
    ]
    assert "note" not in found[1].body
    assert "# no heading" in found[1].body
    found = sections(UNDERLINED, marks="=")
    assert [section.heading for section in found] == ["Title", "Why is it slow?"]
    assert found[1].body.endswith("See there.")


def test_headings_become_questions():
    section = Section("Git guide", "Creating a branch", LONG)
    asked = {questions(section, random.Random(seed)) for seed in range(20)}
    assert "How do I create a branch?" in asked
    assert questions(Section("Git guide", "Summary", LONG), random.Random(1)) == "Git guide: Summary"
    assert "What are runners?" in {
        questions(Section("CI", "About runners", LONG), random.Random(seed)) for seed in range(20)
    }


def test_sections_of_one_document_are_each_others_negatives():
    pairs = list(section_pairs("a/b", sections(UNDERLINED, marks="="), random.Random(1)))
    assert [pair.kind for pair in pairs] == ["faq"]
    assert len(pairs[0].negatives) == 1


def test_functions_lose_their_docstring():
    code = 'class A:\n    def size(self, path):\n        """Return the size of a file.\n\n        More."""\n'
    code += "        found = path.stat()\n        return found.st_size + self.extra_bytes_of_header\n"
    [function] = functions(code)
    assert function.summary == "Return the size of a file."
    assert "Return the size" not in function.without_docstring
    assert function.with_docstring.startswith('def size(self, path):\n    """Return')
    asked = {search_query(function, random.Random(seed)) for seed in range(60)}
    assert {"Return the size of a file.", "return the size of a file", "python get size file"} <= asked
    assert not list(functions("def broken(:"))


def test_a_commit_pairs_its_subject_with_its_largest_change():
    lines = "\n".join(f"+    line {number} of the new function" for number in range(8))
    diff = f"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,9 @@ def f\n{lines}\n"
    pair = commit_pair("a/b", "Fixed #123 -- Closed the file after reading.", diff)
    assert pair is not None
    assert pair.question == "Closed the file after reading."
    assert pair.passage.startswith("x.py\ndef f\n+    line 0")
    assert commit_pair("a/b", "Bump version to the next one", diff) is None


def test_texts_of_evaluation_sets_are_kept_out(tmp_path):
    line = "a sentence of the evaluation set that is long enough to be recognised again"
    with gzip.open(tmp_path / "set.jsonl.gz", "wt") as out:
        out.write(json.dumps({"text": line, "list": ["short"]}) + "\n")
    held_out = HeldOut([tmp_path / "set.jsonl.gz"])
    assert held_out.holds(line.upper() + "!")
    assert not held_out.holds("another sentence")


def test_negatives_that_are_no_passages_are_left_out():
    pairs = [Pair("a/b", "heading", "one?", "first", ("second", "third"), "train")]
    pairs.append(Pair("a/b", "heading", "two?", "second", (), "train"))
    assert with_known_negatives(pairs)[0].negatives == ("second",)


def test_texts_without_labels():
    turns = (Turn("Omar", "Where do you live these days?"), Turn("Maria", "I live near the old station."))
    found = [
        text
        for seed in range(20)
        for text in conversation_texts(Dialogue("a/b", "1", "train", turns, ()), random.Random(seed))
    ]
    assert ("conversation", "p", "Maria: I live near the old station.") in found
    assert ("conversation", "p", "I live near the old station.") in found
    assert ("conversation", "q", "Where do you live these days?") in found
    catalogue = 'msgid "x"\nmsgstr ""\n"Une phrase assez longue pour être "\n"gardée, avec :func:`print`."\n'
    assert list(translated_texts(catalogue)) == [
        ("french", "p", "Une phrase assez longue pour être gardée, avec print.")
    ]
    assert list(chat_texts("[12:01] <ann> does anybody know how to mount this disk?\n[12:02] <bob> no\n")) == [
        ("chat room", "p", "ann: does anybody know how to mount this disk?")
    ]
    once = drawn([*found, *found])
    assert len(once) == len(set(once))
    assert any(kind == "sentence" for kind, _, _ in once)
