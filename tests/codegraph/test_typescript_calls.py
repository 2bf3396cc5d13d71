"""Calls and members of TypeScript files lead to definitions, by scopes, classes and declared types."""

from __future__ import annotations

from tests.codegraph.typescript_projects import Project

BOAT = """export class Vessel {
  launch() { return this }
  static build(): Vessel { return new Vessel() }
}
export interface Rig { hoist(sail: Sail): void; lower: (sail: Sail) => void; crew: Crew[] }
export interface Sail { trim(): Sail; area: number }
export interface Crew { name: string; rest(): void }
export class Boat<T = Sail> extends Vessel implements Rig {
  crew: Crew[] = []
  lower = (sail: Sail) => {}
  constructor(private rig: Rig) { super(); this.launch() }
  hoist(sail: Sail) { this.rig.hoist(sail); this.lower(sail) }
  main(): T { return this.sails.get('main')! }
  sails = new Map<string, T>()
  get mate() { return this.crew[0] }
  onStorm(handler: (sail: Sail, boat: Boat) => void) {}
}
export enum Side { Port, Starboard }
export const harbour = { dock(boat: Boat) { return boat.launch() }, lights: { on: () => 1 } }
export type Options = { rig: Rig; onDock?: (boat: Boat) => void; nested: { crew: Crew } }
export function sailWith(options: Options): Boat { return new Boat(options.rig) }
"""


def calls(source: str, other: str = BOAT, path: str = "main.ts") -> dict[int, set[str]]:
    head = "import { Boat, Vessel, harbour, sailWith, Side, type Rig, type Crew, type Options } from './boat'\n"
    found = Project({path: head + source, "boat.ts": other}).calls(path)
    return {line - 1: {edge.removeprefix("boat.ts#") for edge in edges} for line, edges in found.items()}


def test_methods_of_this_super_and_bases() -> None:
    found = Project({"boat.ts": BOAT}).calls("boat.ts")
    assert found[11] == {"boat.ts#Vessel", "boat.ts#Vessel.launch"}
    assert found[12] == {"boat.ts#Rig.hoist", "boat.ts#Boat.lower"}


def test_receivers_with_a_declared_type() -> None:
    source = """function go(rig: Rig, boats: Boat[], one?: Boat | null) {
  rig.lower(null!)
  boats[0].hoist(null!)
  one?.launch()
}"""
    assert calls(source) == {2: {"Rig.lower"}, 3: {"Boat.hoist"}, 4: {"Vessel.launch"}}


def test_constructed_and_returned_receivers() -> None:
    source = """const boat = new Boat(null!)
boat.hoist(null!)
sailWith(null!).launch()
Vessel.build().launch()
harbour.dock(boat).launch()
harbour.lights.on()
function make() { return new Boat(null!) }
make().hoist(null!)
"""
    found = calls(source)
    assert found[2] == {"Boat.hoist"}
    assert found[3] == {"sailWith", "Vessel.launch"}
    assert found[4] == {"Vessel.build", "Vessel.launch"}
    assert found[5] == {"harbour.dock", "Vessel.launch"}
    assert found[6] == {"harbour.lights.on"}
    assert "Boat.hoist" in found[8]


def test_type_arguments_and_containers() -> None:
    source = """function go(boat: Boat<Rig>, plain: Boat, fleet: Map<string, Boat>, all: Promise<Crew[]>) {
  boat.main().hoist(null!)
  plain.main().trim()
  fleet.get('x')!.launch()
  boat.mate.rest()
  for (const one of boat.crew) one.rest()
}
async function wait(all: Promise<Crew[]>) {
  (await all)[0].rest()
}
"""
    found = calls(source)
    assert found[2] == {"Boat.main", "Rig.hoist"}
    assert found[3] == {"Boat.main", "Sail.trim"}
    assert found[4] == {"Vessel.launch"}
    assert found[5] == {"Crew.rest"}
    assert found[6] == {"Crew.rest"}
    assert found[9] == {"Crew.rest"}


def test_parameters_of_callbacks() -> None:
    source = """function go(boat: Boat) {
  boat.crew.map((one) => one.rest())
  boat.onStorm((sail, same) => { sail.trim(); same.launch() })
  sailWith({ rig: boat, onDock: (docked) => docked.launch(), nested: { crew: boat.mate } })
}
const handler: Options['onDock'] = (one) => one.launch()
"""
    found = calls(source)
    assert found[2] == {"Crew.rest"}
    assert found[3] == {"Boat.onStorm", "Sail.trim", "Vessel.launch"}
    assert found[4] == {"sailWith", "Vessel.launch"}
    assert found[6] == {"Vessel.launch"}


def test_keys_of_an_argument_use_the_members_of_its_type() -> None:
    project = Project(
        {
            "main.ts": "import { sailWith } from './boat'\nsailWith({ rig: null!, nested: { crew: null! } })\n",
            "boat.ts": BOAT,
        },
    )
    assert project.edges("main.ts", "uses") == {
        "boat.ts#Options.rig",
        "boat.ts#Options.nested",
        "boat.ts#Options.nested.crew",
    }


def test_destructured_names() -> None:
    source = """const { crew: [first] } = null! as Boat
first.rest()
function go({ mate }: Boat, [one, { rest }]: Crew[]) {
  mate.rest()
  one.rest()
  const { hoist: raise = null!, ...others } = new Boat(null!)
  others.launch()
}"""
    found = calls(source)
    assert found[2] == found[4] == found[5] == {"Crew.rest"}
    assert found[7] == {"Vessel.launch"}


def test_local_names_hide_imported_ones() -> None:
    source = "function go(harbour: Rig, sailWith: () => void) {\n  harbour.hoist(null!)\n  sailWith()\n}"
    assert calls(source) == {2: {"Rig.hoist"}}


def test_a_call_without_a_known_receiver_is_unresolved() -> None:
    project = Project({"main.ts": "export function go(x: any) { x.launch(); y.launch() }", "boat.ts": BOAT})
    assert project.calls("main.ts") == {}
    assert [one.expression for one in project.resolution("main.ts").unresolved] == ["x.launch", "y.launch"]


def test_confidence_tells_declared_from_inferred() -> None:
    head = "import { Boat } from './boat'\n"
    make = "function make() { return new Boat(null!) }\n"
    source = f"{head}{make}function go(boat: Boat) {{\n  boat.hoist(null!)\n  make().hoist(null!)\n}}"
    project = Project({"main.ts": source, "boat.ts": BOAT})
    found = {site.line: site.confidence for site in project.resolution("main.ts").sites if site.symbol == "Boat.hoist"}
    assert found == {4: "exact", 5: "inferred"}


def test_globals_of_declaration_files() -> None:
    files = {
        "globals.d.ts": "declare function warn(text: string): void\ninterface Window { fleet: Fleet }\n",
        "more.d.ts": "export {}\ndeclare global { interface Fleet { sail(): void } }\n",
        "main.ts": "function go(fleet: Fleet) { warn('x'); fleet.sail() }\n",
    }
    assert Project(files).calls("main.ts") == {1: {"globals.d.ts#warn", "more.d.ts#global.Fleet.sail"}}


def test_components_of_jsx_are_used() -> None:
    files = {
        "main.tsx": "import { Deck } from './deck'\n<Deck go={() => run()}>a</Deck>\nconst run = () => 1",
        "deck.tsx": "export const Deck = () => null\n",
    }
    project = Project(files)
    assert project.edges("main.tsx", "uses") == {"deck.tsx#Deck"}
    assert project.calls("main.tsx") == {2: {"main.tsx#run"}}


def test_classes_and_interfaces_extend_and_implement() -> None:
    project = Project({"boat.ts": BOAT})
    assert project.edges("boat.ts", "extends") == {"boat.ts#Vessel"}
    assert project.edges("boat.ts", "implements") == {"boat.ts#Rig"}


def test_rest_parameters_type_callbacks() -> None:
    other = BOAT + "export function all(...handlers: ((boat: Boat) => void)[]) {}\n"
    other += (
        "export type Pair = { each: (name: string, ...both: [(crew: Crew) => void, (crew: Crew) => void]) => void }\n"
    )
    source = """import { all, type Pair } from './boat'
all((a) => a.launch(), (b) => b.hoist(null!))
function go(pair: Pair) { pair.each('x', (one) => one.rest(), (two) => two.rest()) }
"""
    found = calls(source, other)
    assert found[2] == {"all", "Vessel.launch", "Boat.hoist"}
    assert found[3] == {"Pair.each", "Crew.rest"}


def test_the_declared_type_of_a_function_types_the_function_it_returns() -> None:
    source = """type Handler = (boat: Boat) => void
export function make(): Handler { return (boat) => boat.launch() }
export const other = (): Handler => function (boat) { boat.hoist(null!) }
"""
    assert calls(source) == {2: {"Vessel.launch"}, 3: {"Boat.hoist"}}


def test_signatures_without_semicolons_that_begin_with_type_parameters() -> None:
    other = (
        BOAT
        + """export interface Route {
  // one
  <T extends string>(path: T): void
  // two
  <T extends string>(
    path: T,
    handler: (boat: Boat) => void
  ): void
  last(): Boat
}
export type * from './sea'
"""
    )
    source = "import { type Route } from './boat'\nfunction go(route: Route) { route('/', (boat) => boat.launch()) }\n"
    found = calls(source + "function end(route: Route) { route.last().hoist(null!) }\n", other)
    assert "Vessel.launch" in found[2]
    assert found[3] == {"Route.last", "Boat.hoist"}
    sea = Project({"boat.ts": other, "sea.ts": ""})
    assert sea.edges("boat.ts", "exports") == {"sea.ts#"}
    assert not sea.records["boat.ts"].has_errors
