"""How Go files are read and resolved: packages, modules, methods, embedded types and declared types."""

from __future__ import annotations

from holdfast.codegraph.code_records import CALLS, EXACT, EXTENDS, IMPORTS, INFERRED, USES
from holdfast.codegraph.languages.go import LANGUAGE
from tests.codegraph.projects import SourceFiles

FLEET = {
    "go.mod": "module example.com/fleet // comment\n\ngo 1.22\nreplace example.com/sea => ./sea\n",
    "main.go": """
        package main

        import (
            "fmt"
            "example.com/fleet/boat"
            s "example.com/sea/v2"
            . "example.com/fleet/crew"
            _ "example.com/fleet/drivers"
            "example.com/fleet/gone"
        )

        func main() {
            b := boat.New("x")
            b.Sail()
            b.Hull.Paint()
            fmt.Println(b.Mates[0].Rest())
            s.Swim()
            Hire()
        }
        """,
    "sea/v2/sea.go": "package sea\nfunc Swim() {}\n",
    "crew/crew.go": "package crew\nfunc Hire() {}\n",
    "drivers/a.go": "package drivers\nfunc init() {}\n",
    "boat/boat.go": """
        package boat

        type Mover interface { Move(by int) error; Stopper }
        type Stopper interface { Stop() }

        type Boat struct {
            Hull
            *Engine
            Mates []*Mate
            names map[string]*Mate
            onSail func() *Mate
        }

        type Names []Mate
        type Engine struct{}

        func New(name string) *Boat { return &Boat{} }
        """,
    "boat/methods.go": """
        package boat

        func (b *Boat) Sail() (*Mate, error) {
            b.Start()
            m, err := b.first()
            m.Rest()
            for _, mate := range b.Mates { mate.Rest() }
            b.names["x"].Rest()
            b.onSail().Rest()
            mates := make([]*Mate, 0)
            mates[0].Rest()
            var any Mover
            any.Move(1)
            any.Stop()
            func(inner *Mate) { inner.Rest() }(m)
            any.(*Boat).Sail()
            return m, err
        }

        func (b *Boat) first() (*Mate, error) { return b.Mates[0], nil }
        func (e *Engine) Start() {}
        func (n Names) Count() int { return n[0].age() }
        """,
    "boat/parts.go": """
        package boat

        type Hull struct{}
        type Mate struct{}

        func (h Hull) Paint() {}
        func (m *Mate) Rest() string { return limit }
        func (m Mate) age() int { return 1 }

        const limit = "x"
        """,
    "boat/boat_test.go": """
        package boat_test

        import "example.com/fleet/boat"

        func Max[T boat.Mover](one T) { one.Move(2) }
        """,
}


def calls(path: str) -> dict[int, set[str]]:
    """The targets of a file's calls by line."""
    found: dict[int, set[str]] = {}
    for site in SourceFiles(FLEET, LANGUAGE).resolution(path).sites:
        if site.type == CALLS:
            found.setdefault(site.line, set()).add(f"{site.path}:{site.symbol}")
    return found


def test_imports_lead_to_the_files_of_a_package_that_are_used() -> None:
    project = SourceFiles(FLEET, LANGUAGE)
    assert project.targets("main.go", IMPORTS) == {
        "boat/boat.go": EXACT,
        "sea/v2/sea.go": EXACT,
        "crew/crew.go": EXACT,
        "drivers/a.go": EXACT,
    }
    missing = project.missing("main.go")
    assert missing["example.com/fleet/gone"] == "missing"
    assert missing["fmt"] == missing["fmt.Println"] == "external"


def test_calls_go_through_packages_methods_and_embedded_types() -> None:
    assert calls("main.go") == {
        14: {"boat/boat.go:New"},
        15: {"boat/methods.go:Boat.Sail"},
        16: {"boat/parts.go:Hull.Paint"},
        17: {"boat/parts.go:Mate.Rest"},
        18: {"sea/v2/sea.go:Swim"},
        19: {"crew/crew.go:Hire"},
    }


def test_receivers_are_typed_by_declarations_results_loops_maps_and_assertions() -> None:
    found = calls("boat/methods.go")
    rest = {"boat/parts.go:Mate.Rest"}
    assert found[5] == {"boat/methods.go:Engine.Start"}
    assert found[6] == {"boat/methods.go:Boat.first"}
    assert [found[line] for line in (7, 8, 9, 12, 16)] == [rest] * 5
    assert found[10] == {"boat/boat.go:Boat.onSail", *rest}
    assert found[14] == {"boat/boat.go:Mover.Move"}
    assert found[15] == {"boat/boat.go:Stopper.Stop"}
    assert found[17] == {"boat/methods.go:Boat.Sail"}
    assert found[23] == {"boat/parts.go:Mate.age"}


def test_embedded_types_are_extended_and_names_of_the_package_are_used() -> None:
    project = SourceFiles(FLEET, LANGUAGE)
    assert project.targets("boat/boat.go", EXTENDS) == {
        "boat/boat.go:Stopper": EXACT,
        "boat/parts.go:Hull": EXACT,
        "boat/boat.go:Engine": EXACT,
    }
    assert "boat/parts.go:limit" in project.targets("boat/parts.go", USES)


def test_a_type_parameter_is_its_bound() -> None:
    project = SourceFiles(FLEET, LANGUAGE)
    assert project.targets("boat/boat_test.go", CALLS) == {"boat/boat.go:Mover.Move": EXACT}


def test_a_variable_without_a_known_type_is_unknown_and_one_by_its_value_is_inferred() -> None:
    files = {
        "go.mod": "module m\n",
        "a.go": """
            package m
            type T struct{}
            func (t T) Go() {}
            func f(x any) { x.Go(); y := g(); y.Go() }
            func g() T { return T{} }
            """,
    }
    project = SourceFiles(files, LANGUAGE)
    assert project.targets("a.go", CALLS) == {"a.go:g": EXACT, "a.go:T.Go": INFERRED}
    assert project.missing("a.go") == {"x.Go": "external"}


def test_a_file_with_errors_is_read_in_part() -> None:
    record = LANGUAGE.extract("a.go", b"package a\nfunc ok() {}\nfunc broken( {\ntype T struct{}\n", "h")
    assert record.has_errors
    assert "ok" in [one.name for one in record.definitions]
