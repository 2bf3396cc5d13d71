"""Any file is read in bounded time; what the grammar cannot read is passed over."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.codegraph.languages.typescript import LANGUAGE
from holdfast.codegraph.languages.typescript.typescript_type_syntax import NOTHING, OWN, parse_type
from tests.codegraph.typescript_projects import Project

HOSTILE = {
    "parentheses": b"(" * 20_000,
    "nested calls": b"f(" * 3_000 + b")" * 3_000,
    "nested functions": b"(() => " * 2_000 + b"1" + b")" * 2_000,
    "long chain": b"a" + b".b()" * 20_000,
    "long sum": b"let a = " + b" + ".join([b"b"] * 20_000),
    "objects": b"x = " + b"{a:" * 2_000 + b"1" + b"}" * 2_000,
    "types": b"let a: " + b"A<" * 2_000 + b"B" + b">" * 2_000,
    "unions": b"type A = " + b" | ".join([b"{ a: B }"] * 3_000),
    "one long line": b"var a=1;" * 60_000,
    "bytes": bytes(range(256)) * 50,
    "nothing": b"",
    "wide": b"\xff\xfea\x00b\x00",
}


@pytest.mark.integration
@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_read_in_bounded_time(source: bytes) -> None:
    started = time.process_time()
    try:
        record = LANGUAGE.extract("a.ts", source, "")
    except TimeoutError:
        return
    Project({"a.ts": source.decode("utf-8", "replace")})
    assert record.path == "a.ts"
    assert time.process_time() - started < 12


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("import export default class { } ( ) => : ; a b . , = < > [ ] 'x' const type".split())))
def test_any_sequence_of_words_is_resolved(words: list[str]) -> None:
    resolution = Project({"a.ts": " ".join(words), "x.ts": "export default 1"}).resolution("a.ts")
    assert all(site.path in ("a.ts", "x.ts") for site in resolution.sites)


def test_names_defined_by_each_other_end() -> None:
    source = """const a = b.c(), b = a.d(), c = a ? b : c
type A = B & A; type B = A | C<B>; type C<T> = T | A; interface D extends E {} interface E extends D { e(): A }
class F extends G {} class G extends F { g() { return this.h().g() } h() { return super.g() } }
function go(x: A, y: D) { x.run(); y.e().run(); new F().g().h(); return go(x, y) }
go(c, b).run()
"""
    assert "a.ts#go" in Project({"a.ts": source}).calls("a.ts")[5]


def test_definitions_have_names_kinds_and_places() -> None:
    source = """export class Boat { name = 'é'; get crew() { return 1 } sail() { const inner = () => 2 } }
export const hull = { paint() {} }, size = 3
interface Rig { hoist(): void; lower: () => void }
enum Side { Port }
namespace Sea.Port { export function moor() {} }
"""
    record = LANGUAGE.extract("a.ts", source.encode(), "h")
    assert {(one.qualified, one.kind) for one in record.definitions} == {
        ("Boat", "class"),
        ("Boat.name", "property"),
        ("Boat.crew", "property"),
        ("Boat.sail", "method"),
        ("Boat.sail.inner", "function"),
        ("hull", "variable"),
        ("hull.paint", "method"),
        ("size", "variable"),
        ("Rig", "interface"),
        ("Rig.hoist", "method"),
        ("Rig.lower", "property"),
        ("Side", "enum"),
        ("Side.Port", "property"),
        ("Sea", "module"),
        ("Sea.Port", "module"),
        ("Sea.Port.moor", "function"),
    }
    crew = next(one for one in record.definitions if one.name == "crew")
    line = source.encode().split(b"\n")[crew.name_line - 1]
    assert line[crew.name_column :].startswith(b"crew")
    assert [one.name for one in record.exports] == ["Boat", "hull", "size"]


@pytest.mark.parametrize(
    ("text", "syntax"),
    [
        ("Boat", ("ref", "Boat", ())),
        ("sea.Boat<Sail, Rig[]>", ("ref", "sea.Boat", (("ref", "Sail", ()), ("array", ("ref", "Rig", ()))))),
        ("Boat | null | undefined", ("ref", "Boat", ())),
        ("readonly Boat[] & Rig", ("and", (("array", ("ref", "Boat", ())), ("ref", "Rig", ())))),
        (
            "(boat: Boat, n?: number) => Rig",
            ("function", (("boat", ("ref", "Boat", ())), ("n", NOTHING)), ("ref", "Rig", ())),
        ),
        ("{}", OWN),
        (
            "{ a: Boat; b(): Rig }",
            ("literal", (("a", ("ref", "Boat", ())), ("b", ("function", (), ("ref", "Rig", ()))))),
        ),
        ("Boat['rig']", ("member", ("ref", "Boat", ()), "rig")),
        ("T extends Boat ? Rig : Sail", ("or", (("ref", "Rig", ()), ("ref", "Sail", ())))),
        ("{ [K in keyof Boat]: Rig }", ("ref", "Boat", ())),
        ("typeof boat.rig", ("typeof", "boat.rig")),
        ("new (a: string) => Boat", ("new", ("ref", "Boat", ()))),
        ("boat is Boat", NOTHING),
        ("Map<string, ", ("ref", "Map", (NOTHING,))),
        ("", NOTHING),
    ],
)
def test_types_are_parsed(text: str, syntax: tuple[object, ...]) -> None:
    assert parse_type(text) == syntax


@given(st.text("(){}[]<>|&?:;=>,.'` abT", max_size=60))
def test_any_type_text_is_parsed(text: str) -> None:
    assert isinstance(parse_type(text)[0], str)
