"""Source code that nobody writes: deep, long or random. One file is left out at most; all others are indexed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.codegraph.code_parsing import TooComplex
from holdfast.codegraph.code_records import DEEPEST_SCOPE
from holdfast.codegraph.languages.language_registry import language
from tests.codegraph.projects import SourceFiles
from tests.codegraph.test_index import make

__all__ = ["make"]

PATHS = {
    "python": ("a.py",),
    "typescript": ("a.ts", "a.tsx", "a.js"),
    "go": ("a.go",),
    "rust": ("src/lib.rs",),
    "java": ("A.java",),
}


# Words and signs of all languages: random texts of these reach more of the readers than random bytes.
def nested(line: str, last: str, depth: int = 1_000) -> str:
    """Lines of Python in each other."""
    return "".join(f"{' ' * at}{line.format(at)}\n" for at in range(depth)) + " " * depth + last


WORDS = (
    *"( ) { } [ ] < > . , ; : = + - * / ' \" ` # @ ! $ % & | ^ ~ ? \\ 0 1 \n a b T".split(" "),
    *(" ", "\n ", "\n", "=>", "->", "::", "**", "...", "?.", "??", "<<", "${", "//", "/*", "é"),
    *" def | class | import | from | return | for | in | if | else | as | with | await | lambda | del ".split("|"),
    *" function | const | let | new | type | interface | enum | export | extends | namespace | keyof ".split("|"),
    *" func | struct | package | var | range | map | fn | impl | use | mod | match | pub | where | macro_rules! ".split(
        "|"
    ),
)
DEEP = {
    "three signs": ("a.py", "*<$"),
    "calls of a star": ("a.py", "f(*)\ng(**)\n*, = x\n"),
    "nested functions": ("a.py", nested("def f{}():", "pass\n")),
    "nested classes of Python": ("a.py", nested("class C{}:", "x = 1\n")),
    "a chain of conditions": ("a.ts", "x = " + "a ? b :\n" * 5_000 + "1"),
    "conditions in a call": ("a.js", "f(" + "a ? b :\n" * 5_000 + "1)"),
    "conditions in conditions": ("a.ts", "x = " + "a ? (\n" * 500 + "1" + ") : b\n" * 500),
    "sums in brackets": ("a.ts", "x = " + "a + (\n" * 500 + "1" + ")" * 500),
    "indexes in indexes": ("a.ts", "x = " + "a[\n" * 500 + "1" + "]" * 500),
    "patterns in patterns": ("a.ts", "const " + "{a:\n" * 500 + "b" + "}" * 500 + " = c"),
    "casts of casts": ("a.ts", "x = a" + " as\nB" * 900),
    "nested imports of Rust": ("src/lib.rs", "use " + "a::{b,\n" * 2_000 + "c" + "}\n" * 2_000 + ";"),
    "nested modules": ("src/lib.rs", "mod a {\n" * 3_000 + "fn f() {}" + "}\n" * 3_000),
    "nested classes of Java": ("A.java", "class A{\n" * 3_000 + "}\n" * 3_000),
    "nested structs": ("a.go", "package a\ntype A " + "struct { B\n" * 3_000 + "int" + "}\n" * 3_000),
}  # fmt: skip


@pytest.mark.parametrize("name", PATHS)
@given(words=st.lists(st.sampled_from(WORDS), max_size=200))
def test_random_words_are_read_and_resolved(name, words):
    text = "".join(words)
    for path in PATHS[name]:
        try:
            project = SourceFiles({path: text}, language(name))
        except TooComplex:
            continue
        project.resolution(path)


@pytest.mark.parametrize("name", PATHS)
@given(source=st.binary(max_size=300))
def test_random_bytes_are_read(name, source):
    for path in PATHS[name]:
        assert language(name).extract(path, source, "h").path == path


@pytest.mark.parametrize("kind", DEEP)
def test_deep_code_keeps_no_other_code_out(make, kind):
    path, source = DEEP[kind]
    index = make()
    index.put(path, source)
    index.put("good.py", "def helper(): ...\ndef user(): helper()\n")
    report = index.run()
    assert (report.files, report.unread) == (2, {})
    assert "good.py:user calls good.py:helper" in index.edges()


@pytest.mark.parametrize(
    ("path", "source"),
    [DEEP["nested classes of Java"], DEEP["nested functions"]],
)
def test_definitions_in_too_many_others_are_left_out(path, source):
    name = "java" if path == "A.java" else "python"
    record = language(name).extract(path, source.encode(), "h")
    assert len(record.definitions) == DEEPEST_SCOPE
    assert record.has_errors


def test_a_file_that_fails_is_named_and_the_others_are_indexed(make, monkeypatch):
    index = make()
    index.put("bad.py", "x = 1\n")
    index.put("slow.py", "x = 1\n")
    index.put("good.py", "def helper(): ...\ndef user(): helper()\n")
    extract = type(language("python")).extract

    def failing(self, path, source, hash):
        if path == "bad.py":
            raise IndexError
        if path == "slow.py":
            raise TooComplex
        return extract(self, path, source, hash)

    monkeypatch.setattr(type(language("python")), "extract", failing)
    report = index.run()
    assert report.unread == {"bad.py": "codegraph.failed", "slow.py": "codegraph.too_complex"}
    assert report.skipped == {"codegraph.failed": 1, "codegraph.too_complex": 1}
    assert "good.py:user calls good.py:helper" in index.edges()


def test_a_file_that_cannot_be_resolved_is_left_out_with_what_leads_to_it(make, monkeypatch):
    from holdfast.codegraph.languages.python.python_resolve import PythonResolver

    index = make()
    index.put("bad.py", "def f(): ...\n")
    index.put("good.py", "import bad\ndef helper(): ...\ndef user(): helper(bad.f())\n")
    resolve = PythonResolver.resolve

    def failing(self, path):
        if path == "bad.py":
            raise RecursionError
        return resolve(self, path)

    monkeypatch.setattr(PythonResolver, "resolve", failing)
    report = index.run()
    assert (report.files, report.unread) == (1, {"bad.py": "codegraph.too_complex"})
    assert index.edges() == {"good.py:user calls good.py:helper"}
    monkeypatch.undo()
    assert index.run().unread == {}
    assert "good.py:user calls bad.py:f" in index.edges()


@pytest.mark.integration
@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "x = (f" + "\n(1)" * 150_000 + ")"),
        ("A.java", "class A{\n" * 40_000 + "}\n" * 40_000),
        ("a.go", "package a\ntype A " + "struct { B\n" * 20_000 + "int" + "}\n" * 20_000),
        ("a.go", "package a\nfunc A() { x" + ".b(c).\n" * 4_000 + "d() }"),
        ("src/lib.rs", "fn a() { x" + "\n.b(c)" * 4_000 + "; }"),
    ],
)
def test_the_time_for_one_file_is_bounded(make, path, source):
    index = make()
    index.put(path, source)
    begun = time.process_time()
    report = index.run()
    assert time.process_time() - begun < 12  # two for parsing, two for the query, four for reading, and slack
    assert report.files + len(report.unread) == 1
