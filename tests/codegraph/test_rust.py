"""How Rust files are read and resolved: crates, modules, `use`, `impl` blocks, traits and declared types."""

from __future__ import annotations

from holdfast.codegraph.code_records import CALLS, EXACT, IMPLEMENTS, IMPORTS, USES
from holdfast.codegraph.languages.rust import LANGUAGE
from tests.codegraph.projects import SourceFiles

FLEET = {
    "Cargo.toml": '[workspace]\nmembers = ["boat", "app"]\n',
    "boat/Cargo.toml": '[package]\nname = "the-boat"\n',
    "boat/src/lib.rs": """
        #[macro_use]
        mod macros;
        pub mod crew;
        mod hull;
        pub use crate::crew::{Mate, Rank as Grade};
        pub use self::hull::*;

        pub trait Mover {
            fn advance(&self, by: usize) -> usize;
            fn twice(&self) -> usize { self.advance(2) }
        }

        pub struct Boat<E: Mover> { mates: Vec<Mate>, engine: Option<Box<E>>, pub hull: Hull }

        impl<E: Mover> Boat<E> {
            pub fn new(hull: Hull) -> Self { Self { mates: vec![], engine: None, hull } }
            pub fn mates(&self) -> &[Mate] { &self.mates }
            pub fn first(&self) -> Result<Mate, Error> {
                let mate = self.mates.get(0).unwrap();
                mate.rest();
                if let Some(engine) = self.engine.as_ref() { engine.advance(1); }
                for one in self.mates() { one.rest(); }
                Ok(mate.clone())
            }
        }
        """,
    "boat/src/macros.rs": "macro_rules! shout { () => {} }\n",
    "boat/src/hull/mod.rs": """
        mod paint;
        use super::Mover;

        pub struct Hull;
        pub enum Colour { Red, Mixed(Hull) }

        impl Mover for Hull {
            fn advance(&self, by: usize) -> usize { paint::coat(Colour::Mixed(Hull)); by }
        }

        impl Hull { pub fn scrub(&self) -> Colour { shout!(); crate::crew::hire(); Colour::Red } }
        """,
    "boat/src/hull/paint.rs": "use super::Colour;\npub fn coat(c: Colour) {}\nimpl Colour { pub fn mix(&self) {} }\n",
    "boat/src/crew.rs": """
        pub struct Mate;
        pub struct Rank;
        impl Mate { pub fn rest(&self) {} }
        pub fn hire() {}
        #[cfg(test)]
        mod tests {
            use super::*;
            #[test]
            fn hires() { hire(); }
        }
        """,
    "boat/tests/all.rs": "mod common;\nuse the_boat::Hull;\nfn t() { common::make().scrub().mix(); }\n",
    "boat/tests/common.rs": "use crate::t;\nuse the_boat::Hull;\npub fn make() -> Hull { t(); Hull }\n",
    "app/Cargo.toml": '[package]\nname = "app"\n',
    "app/src/main.rs": """
        #[path = "other/helper.rs"]
        mod help;
        use std::fs;
        use the_boat::{Boat, Mover, Grade};
        use the_boat::gone::Thing;

        fn main() {
            let boat = Boat::new(help::hull());
            boat.hull.twice();
            boat.first().unwrap().rest();
            let sum = |m: the_boat::Mate| m.rest();
        }

        fn generic<M>(mover: M) where M: Mover { mover.advance(1); }
        """,
    "app/src/other/helper.rs": "use the_boat::Hull;\npub fn hull() -> Hull { Hull }\n",
}


def project() -> SourceFiles:
    return SourceFiles(FLEET, LANGUAGE)


def calls(path: str) -> set[str]:
    return set(project().targets(path, CALLS))


def test_modules_and_crates_are_found() -> None:
    assert project().targets("boat/src/lib.rs", IMPORTS) == {
        "boat/src/macros.rs": EXACT,
        "boat/src/crew.rs": EXACT,
        "boat/src/hull/mod.rs": EXACT,
        "boat/src/crew.rs:Mate": EXACT,
        "boat/src/crew.rs:Rank": EXACT,
    }
    assert project().targets("app/src/main.rs", IMPORTS) == {
        "app/src/other/helper.rs": EXACT,
        "boat/src/lib.rs:Boat": EXACT,
        "boat/src/lib.rs:Mover": EXACT,
        "boat/src/crew.rs:Rank": EXACT,
    }
    missing = project().missing("app/src/main.rs")
    assert (missing["std"], missing["the_boat::gone"]) == ("external", "missing")


def test_methods_are_found_through_impl_blocks_traits_and_bounds() -> None:
    assert calls("app/src/main.rs") == {
        "boat/src/lib.rs:Boat.new",
        "app/src/other/helper.rs:hull",
        "boat/src/lib.rs:Mover.twice",
        "boat/src/lib.rs:Boat.first",
        "boat/src/crew.rs:Mate.rest",
        "boat/src/lib.rs:Mover.advance",
    }
    assert calls("boat/src/lib.rs") == {
        "boat/src/lib.rs:Mover.advance",
        "boat/src/lib.rs:Boat.mates",
        "boat/src/crew.rs:Mate.rest",
    }


def test_paths_variants_and_macros_are_called() -> None:
    assert calls("boat/src/hull/mod.rs") == {
        "boat/src/hull/paint.rs:coat",
        "boat/src/hull/mod.rs:Colour.Mixed",
        "boat/src/macros.rs:shout!",
        "boat/src/crew.rs:hire",
    }
    assert "boat/src/hull/mod.rs:Colour.Red" in project().targets("boat/src/hull/mod.rs", USES)


def test_a_module_in_a_file_sees_only_what_it_imports() -> None:
    assert calls("boat/src/crew.rs") == {"boat/src/crew.rs:hire"}
    without = {"src/lib.rs": "fn hire() {}\nmod inner {\n    fn f() { hire(); }\n}\n"}
    assert SourceFiles(without, LANGUAGE).targets("src/lib.rs", CALLS) == {}


def test_files_of_integration_tests_can_be_modules_of_each_other() -> None:
    assert calls("boat/tests/all.rs") == {
        "boat/tests/common.rs:make",
        "boat/src/hull/mod.rs:Hull.scrub",
        "boat/src/hull/paint.rs:Colour.mix",
    }
    assert calls("boat/tests/common.rs") == {"boat/tests/all.rs:t"}


def test_impl_blocks_implement_traits() -> None:
    found = project().resolution("boat/src/hull/mod.rs")
    sites = [site for site in found.sites if site.type == IMPLEMENTS]
    record = project().records["boat/src/hull/mod.rs"]
    assert [(record.definitions[site.scope].name, site.path, site.symbol) for site in sites] == [
        ("Hull", "boat/src/lib.rs", "Mover")
    ]


def test_a_module_and_a_function_of_one_name_do_not_hide_each_other() -> None:
    files = {
        "src/main.rs": "mod search;\nfn search() { search::run(); search(); }\n",
        "src/search.rs": "pub fn run() {}\n",
    }
    assert SourceFiles(files, LANGUAGE).targets("src/main.rs", CALLS) == {
        "src/search.rs:run": EXACT,
        "src/main.rs:search": EXACT,
    }


def test_broken_files_and_manifests_are_read_in_part() -> None:
    record = LANGUAGE.extract("a.rs", b"fn ok() {}\nfn broken( {\nstruct S;\n", "h")
    assert record.has_errors
    assert "ok" in [one.name for one in record.definitions]
    files = {"Cargo.toml": "[package\nname=", "src/lib.rs": "mod a;\n", "src/a.rs": ""}
    assert SourceFiles(files, LANGUAGE).targets("src/lib.rs") == {"src/a.rs": EXACT}


def test_calls_in_the_arguments_of_macros():
    project = SourceFiles(
        {
            "src/lib.rs": """
                macro_rules! itry { ($e:expr) => { $e } }
                mod tools;
                pub struct List { held: Vec<u8> }
                impl List {
                    fn push(&mut self, one: u8) {}
                    fn make() -> Self { List { held: vec![] } }
                    fn all(&mut self) {
                        itry!(self.push(1));
                        assert_eq!(tools::count::<Vec<u8>>(&[1])?, one().two(three(4)), "{}", "four(5)");
                        println!("{}", vec![tools::nested(List::make(), tools::Kind::<u8>::new())][0]);
                        cfg! { fn one() {} struct Other(u8); }
                    }
                }
                fn one() {}
                fn three(x: u8) {}
                fn four(x: u8) {}
                """,
            "src/tools.rs": """
                pub fn count<T>(x: T) {}
                pub fn nested(x: u8) {}
                pub struct Kind<T> { t: T }
                impl<T> Kind<T> { pub fn new() -> u8 { 1 } }
                """,
        },
        LANGUAGE,
    )
    sites = project.resolution("src/lib.rs").sites
    found = {(site.path, site.symbol, site.line) for site in sites if site.type == CALLS}
    assert found == {
        ("src/lib.rs", "itry!", 9),
        ("src/lib.rs", "List.push", 9),
        ("src/tools.rs", "count", 10),
        ("src/lib.rs", "one", 10),
        ("src/lib.rs", "three", 10),
        ("src/tools.rs", "nested", 11),
        ("src/lib.rs", "List.make", 11),
        ("src/tools.rs", "Kind.new", 11),
    }
    record = project.records["src/lib.rs"]
    assert {record.symbol_of(site.scope) for site in sites if site.type == CALLS} == {"List.all"}


def test_deeply_nested_tokens_are_read_without_recursion():
    depth = 2_000
    source = "fn f() { m!" + "(a" * depth + ")" * depth + "; }"
    assert len(LANGUAGE.extract("src/lib.rs", source.encode(), "").references) == depth
