"""How Java files are read and resolved: packages, imports, inheritance, nested classes and declared types."""

from __future__ import annotations

from holdfast.codegraph.code_records import CALLS, EXACT, EXTENDS, IMPLEMENTS, IMPORTS, USES
from holdfast.codegraph.languages.java import LANGUAGE
from tests.codegraph.projects import SourceFiles

FLEET = {
    "src/main/java/sea/boat/Boat.java": """
        package sea.boat;

        import java.util.*;
        import sea.crew.Mate;
        import sea.crew.Rank.Level;
        import static sea.crew.Crews.hire;
        import sea.gone.Thing;

        @Seaworthy
        public class Boat<T extends Mate> extends Vessel implements Mover<T> {
            private final List<T> mates = new ArrayList<>();
            private Map<String, Mate> byName;
            static final Level TOP = Level.HIGH;

            public Boat(int size) { super(size); this.log("x"); }
            public Boat() { this(1); }

            public T first() { return mates.get(0); }

            void run(Mate[] others, Mate... more) {
                first().rest();
                for (Mate one : others) { one.rest(); }
                more[0].rest();
                byName.get("x").rest();
                var mate = hire(1);
                mate.rest();
                launch();
                super.launch();
                advance(2);
                TOP.label();
                Engine engine = new Engine();
                engine.start().stop();
                Runnable later = () -> start(engine);
                if (later instanceof Engine e) { e.stop(); }
                ((Engine) later).stop();
                sea.crew.Crews.hire(2);
                others.forEach(Mate::rest);
            }

            private void start(Engine start) { start.start(); }

            class Engine {
                Engine start() { log("y"); return this; }
                void stop() { Boat.this.first(); }
            }
        }
        """,
    "src/main/java/sea/boat/Vessel.java": """
        package sea.boat;
        abstract class Vessel {
            protected Vessel(int size) {}
            void launch() {}
            void log(String text) { toString(); }
        }
        """,
    "src/main/java/sea/boat/Mover.java": "package sea.boat;\ninterface Mover<T> { default void advance(int by) {} }\n",
    "src/main/java/sea/boat/Seaworthy.java": "package sea.boat;\n@interface Seaworthy { int value() default 1; }\n",
    "src/main/java/sea/crew/Mate.java": """
        package sea.crew;
        public class Mate { public void rest() {} }
        """,
    "src/main/java/sea/crew/Crews.java": """
        package sea.crew;
        public final class Crews {
            public static Mate hire(int count) { return new Mate() { void rest() { wake(); } void wake() {} }; }
            record Pair(Mate one, Mate other) { void both() { one.rest(); other().rest(); } }
        }
        """,
    "src/main/java/sea/crew/Rank.java": """
        package sea.crew;
        public class Rank { public enum Level { LOW, HIGH; public String label() { return "x"; } } }
        """,
    "src/test/java/sea/boat/BoatTest.java": """
        package sea.boat;
        import sea.crew.*;
        class BoatTest { Mate mate; void launches() { new Boat<Mate>(1).launch(); mate.rest(); Crews.hire(1); } }
        """,
}
BOAT = "src/main/java/sea/boat/Boat.java"
ROOT = "src/main/java/sea/"


def project() -> SourceFiles:
    return SourceFiles(FLEET, LANGUAGE)


def calls(path: str) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for site in project().resolution(path).sites:
        if site.type == CALLS:
            found.setdefault(site.line, set()).add(f"{site.path}:{site.symbol}".removeprefix(ROOT))
    return found


def test_imports_lead_to_classes_and_members() -> None:
    assert project().targets(BOAT, IMPORTS) == {
        f"{ROOT}crew/Mate.java:Mate": EXACT,
        f"{ROOT}crew/Rank.java:Rank.Level": EXACT,
        f"{ROOT}crew/Crews.java:Crews.hire": EXACT,
    }
    missing = project().missing(BOAT)
    assert (missing["java.util"], missing["sea.gone"]) == ("external", "external")


def test_receivers_are_typed_by_declarations_bounds_elements_and_results() -> None:
    found = calls(BOAT)
    rest = "crew/Mate.java:Mate.rest"
    assert found[16] == {"boat/Vessel.java:Vessel", "boat/Vessel.java:Vessel.log"}
    assert found[17] == {"boat/Boat.java:Boat"}
    assert found[22] == {"boat/Boat.java:Boat.first", rest}
    assert [found[line] for line in (23, 24, 25, 27)] == [{rest}] * 4
    assert found[26] == {"crew/Crews.java:Crews.hire"}
    assert found[28] == found[29] == {"boat/Vessel.java:Vessel.launch"}
    assert found[30] == {"boat/Mover.java:Mover.advance"}
    assert found[31] == {"crew/Rank.java:Rank.Level.label"}
    assert found[32] == {"boat/Boat.java:Boat.Engine"}
    assert found[33] == {"boat/Boat.java:Boat.Engine.start", "boat/Boat.java:Boat.Engine.stop"}
    assert found[35] == found[36] == {"boat/Boat.java:Boat.Engine.stop"}
    assert found[37] == {"crew/Crews.java:Crews.hire"}
    assert f"{ROOT}{rest}" in project().targets(BOAT, USES)


def test_methods_and_variables_of_one_name_are_apart() -> None:
    found = calls(BOAT)
    assert found[34] == {"boat/Boat.java:Boat.start"}
    assert found[41] == {"boat/Boat.java:Boat.Engine.start"}


def test_nested_and_anonymous_classes_see_what_is_around_them() -> None:
    found = calls(BOAT)
    assert found[44] == {"boat/Vessel.java:Vessel.log"}
    assert found[45] == {"boat/Boat.java:Boat.first"}
    crews = calls(f"{ROOT}crew/Crews.java")
    assert "crew/Mate.java:Mate" in crews[4]
    assert any(target.endswith(".wake") for target in crews[4])


def test_the_components_of_a_record_are_fields_and_methods() -> None:
    crews = calls(f"{ROOT}crew/Crews.java")
    assert crews[5] == {"crew/Mate.java:Mate.rest", "crew/Crews.java:Crews.Pair.other"}


def test_bases_and_annotations() -> None:
    assert project().targets(BOAT, EXTENDS) == {f"{ROOT}boat/Vessel.java:Vessel": EXACT}
    assert project().targets(BOAT, IMPLEMENTS) == {f"{ROOT}boat/Mover.java:Mover": EXACT}
    assert f"{ROOT}boat/Seaworthy.java:Seaworthy" in project().targets(BOAT, USES)


def test_tests_are_in_the_package_of_what_they_test() -> None:
    found = project().targets("src/test/java/sea/boat/BoatTest.java", CALLS)
    assert found == {
        f"{ROOT}boat/Boat.java:Boat": EXACT,
        f"{ROOT}boat/Vessel.java:Vessel.launch": EXACT,
        f"{ROOT}crew/Mate.java:Mate.rest": EXACT,
        f"{ROOT}crew/Crews.java:Crews.hire": EXACT,
    }


def test_a_file_with_errors_is_read_in_part() -> None:
    record = LANGUAGE.extract("A.java", b"class A { void ok() {} void broken( { int x; }\n", "h")
    assert record.has_errors
    assert "ok" in [one.name for one in record.definitions]
