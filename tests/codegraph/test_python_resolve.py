"""How the names of Python files are resolved to files and symbols of their project."""

import pytest

from holdfast.codegraph.code_records import CALLS, EXACT, EXTENDS, IMPORTS, INFERRED, USES
from tests.codegraph.projects import SourceFiles

SHOP = {
    "src/shop/__init__.py": "from .cart import Cart as Basket\nfrom .prices import *\n",
    "src/shop/cart.py": """
        from shop.prices import total
        from . import tax

        class Item:
            name: str
            def price(self): return 1

        class Cart:
            items: list[Item]
            by_name: dict[str, Item]

            def add(self, item: "Item") -> "Cart":
                self.items.append(item)
                return self.check()

            def check(self):
                for item in self.items:
                    item.price()
                for name, item in self.by_name.items():
                    item.price()
                total([i.price() for i in sorted(self.items)])
                tax.rate()
                return self
        """,
    "src/shop/prices.py": "import os\ndef total(values): return os.path.join(sum(values))\n_hidden = 1\n",
    "src/shop/tax.py": "def rate(): return 0.2\n",
    "tests/test_cart.py": """
        import shop
        from shop import Basket, tax as t, total

        def test_add():
            cart = Basket().add(None)
            cart.check().check()
            shop.cart.Item().price()
            t.rate()
            total(())
        """,
}


def test_imports_go_through_source_roots_reexports_and_aliases():
    shop = SourceFiles(SHOP)
    assert shop.targets("tests/test_cart.py", IMPORTS) == {
        "src/shop/__init__.py": EXACT,
        "src/shop/cart.py:Cart": EXACT,
        "src/shop/tax.py": EXACT,
        "src/shop/prices.py:total": EXACT,
    }
    assert shop.targets("src/shop/cart.py", IMPORTS) == {
        "src/shop/prices.py": EXACT,
        "src/shop/prices.py:total": EXACT,
        "src/shop/__init__.py": EXACT,
        "src/shop/tax.py": EXACT,
    }


def test_calls_are_resolved_through_modules_constructors_and_return_types():
    shop = SourceFiles(SHOP)
    assert shop.targets("tests/test_cart.py", CALLS) == {
        "src/shop/cart.py:Cart": EXACT,
        "src/shop/cart.py:Cart.add": EXACT,
        "src/shop/cart.py:Cart.check": INFERRED,  # The second call is on what `check` returns without saying so.
        "src/shop/cart.py:Item": EXACT,
        "src/shop/cart.py:Item.price": EXACT,
        "src/shop/tax.py:rate": EXACT,
        "src/shop/prices.py:total": EXACT,
    }


def test_elements_of_annotated_containers_have_types():
    shop = SourceFiles(SHOP)
    resolved = [s for s in shop.resolution("src/shop/cart.py").sites if s.symbol == "Item.price"]
    assert [(s.line, s.type) for s in resolved] == [(19, CALLS), (21, CALLS), (22, CALLS)]


def test_what_is_outside_the_project_is_said_to_be():
    shop = SourceFiles(SHOP)
    assert shop.missing("src/shop/prices.py") == {"os": "external", "os.path.join": "external", "sum": "external"}


def test_inheritance_self_super_and_class_methods():
    project = SourceFiles(
        {
            "base.py": """
                class Base:
                    @classmethod
                    def make(cls): return cls()
                    def run(self): return self.step()
                    def step(self): ...
                """,
            "child.py": """
                import base

                class Middle(base.Base): ...

                class Child(Middle):
                    def __init__(self, helper: "Helper | None" = None):
                        self.helper = helper
                        self.other = Helper()
                    def step(self):
                        super().step()
                        self.run()
                        self.helper.help()
                        self.other.help()
                        Child.make().step()
                        self.unknown()

                class Helper:
                    def help(self): ...
                    @property
                    def child(self) -> Child: ...

                def use(helper: Helper, x):
                    helper.child.run()
                    x.run()
                """,
        }
    )
    assert project.targets("child.py", EXTENDS) == {"base.py:Base": EXACT, "child.py:Middle": EXACT}
    sites = project.resolution("child.py").sites
    calls = {(site.line, site.symbol, site.confidence) for site in sites if site.type == CALLS}
    assert calls == {
        (9, "Helper", EXACT),
        (11, "Base.step", EXACT),
        (12, "Base.run", EXACT),
        (13, "Helper.help", EXACT),
        (14, "Helper.help", EXACT),
        (15, "Base.make", EXACT),
        (15, "Child.step", INFERRED),
        (24, "Base.run", EXACT),
    }
    unknown = {expression for expression, why in project.missing("child.py").items() if why == "unknown"}
    assert unknown == {"self.unknown", "x.run"}


def test_narrowed_context_managed_and_caught_names():
    project = SourceFiles(
        {
            "a.py": """
                from contextlib import contextmanager
                from typing import Iterator, Union

                class Leaf:
                    def text(self): ...
                class Node:
                    def children(self): ...
                class Problem(Exception):
                    def explain(self): ...
                Tree = Union[Leaf, Node]

                @contextmanager
                def opened() -> Iterator[Leaf]: ...

                def walk(tree: Tree, other):
                    tree.children()
                    if isinstance(other, Node):
                        other.children()
                    with opened() as leaf:
                        leaf.text()
                    try:
                        ...
                    except (ValueError, Problem) as problem:
                        problem.explain()
                    other = other.children()
                    other.children()
                """
        }
    )
    sites = project.resolution("a.py").sites
    assert [(s.line, s.symbol) for s in sites if s.type == CALLS and s.line > 15] == [
        (17, "Node.children"),
        (19, "Node.children"),
        (20, "opened"),
        (21, "Leaf.text"),
        (25, "Problem.explain"),
        (26, "Node.children"),
    ]


def test_local_names_hide_outer_names():
    project = SourceFiles({"a.py": "def run(): ...\ndef f(run): run()\ndef g():\n    run = input()\n    run()\n"})
    assert project.targets("a.py", CALLS) == {}


def test_cycles_of_star_imports_and_definitions_end():
    many = {f"m{n}.py": "".join(f"from m{k} import *\n" for k in range(12) if k != n) for n in range(12)}
    project = SourceFiles(
        {**many, "a.py": "from m0 import nothing\nx = y = x\ny = x\nx.z()\nclass A(B): ...\nclass B(A): ...\nA.c()\n"}
    )
    assert "nothing" not in str(project.targets("a.py"))
    assert project.missing("a.py")["m0.nothing"] == "missing"


def test_results_do_not_depend_on_the_order_of_files():
    first, second = SourceFiles(SHOP), SourceFiles(SHOP)
    forward = {path: first.resolution(path) for path in SHOP}
    backward = {path: second.resolution(path) for path in reversed(SHOP)}
    assert forward == backward


def test_a_resolution_says_what_it_depends_on():
    resolution = SourceFiles(SHOP).resolution("tests/test_cart.py")
    assert resolution.consulted == ("src/shop/__init__.py", "src/shop/cart.py", "src/shop/prices.py", "src/shop/tax.py")
    assert {"shop", "tax", "cart"} <= set(resolution.lookups)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["pkg/__init__.py", "pkg/util.py"], "pkg/util.py"),
        (["src/pkg/__init__.py", "src/pkg/util.py"], "src/pkg/util.py"),
        (["services/api/pkg/__init__.py", "services/api/pkg/util.py"], "services/api/pkg/util.py"),
        (["src/pkg/util.py"], "src/pkg/util.py"),
        (["tests/data/pkg/__init__.py", "tests/data/pkg/util.py"], None),
    ],
    ids=["flat", "src layout", "nested root", "namespace package", "test data is apart"],
)
def test_layouts(files, expected):
    project = SourceFiles({**dict.fromkeys(files, "def f(): ...\n"), "app/main.py": "from pkg.util import f\n"})
    found = project.targets("app/main.py", IMPORTS)
    assert found == ({expected: EXACT, f"{expected}:f": EXACT} if expected else {})


def test_a_module_of_the_standard_library_is_not_taken_from_another_folder():
    project = SourceFiles(
        {"scripts/types.py": "X = 1\n", "app/main.py": "import types\n", "scripts/run.py": "import types\n"}
    )
    assert project.targets("app/main.py") == {}
    assert project.targets("scripts/run.py") == {"scripts/types.py": EXACT}


def test_names_that_are_passed_on_are_used():
    project = SourceFiles({"a.py": "def handler(): ...\nLIMIT = 2\ndef main(): register(handler, limit=LIMIT)\n"})
    assert project.targets("a.py", USES) == {"a.py:handler": EXACT, "a.py:LIMIT": EXACT}


def test_a_module_outside_of_packages_is_found_from_below_its_folder_and_in_source_folders():
    project = SourceFiles(
        {
            "tools/helpers.py": "",
            "src/settings.py": "",
            "tools/sub/run.py": "import helpers\nimport settings\n",
            "app/main.py": "import helpers\nimport settings\n",
        }
    )
    assert project.targets("tools/sub/run.py") == {"tools/helpers.py": EXACT, "src/settings.py": EXACT}
    assert project.targets("app/main.py") == {"src/settings.py": EXACT}


def test_the_package_around_an_imported_module_is_a_target_only_where_it_is_used():
    files = {"a/__init__.py": "X = 1\n", "a/b.py": "", "plain.py": "import a.b\n", "used.py": "import a.b\nf(a.X)\n"}
    project = SourceFiles(files)
    assert project.targets("plain.py") == {"a/b.py": EXACT}
    assert project.targets("used.py", USES) == {"a/__init__.py:X": EXACT}


@pytest.mark.parametrize(
    "expression",
    ["max(ships)", "next(iter(ships))", "sorted(ships)[0]", "ships[1:][0]", "type(ships[0])", "FLAG"],
)
def test_built_in_functions_and_final_names_keep_the_type(expression):
    project = SourceFiles(
        {
            "a.py": f"""
                from typing import Final

                class Ship:
                    def sail(self): ...

                FLAG: Final = Ship()

                def run(ships: list[Ship]):
                    ship = {expression}
                    ship.sail()
                """
        }
    )
    assert "a.py:Ship.sail" in project.targets("a.py", CALLS)


def test_the_elements_of_an_enumeration_are_its_members():
    project = SourceFiles(
        {
            "a.py": """
                from enum import Enum

                class Sail(Enum):
                    MAIN = 1
                    def hoist(self): ...

                for sail in Sail:
                    sail.hoist()
                """
        }
    )
    assert "a.py:Sail.hoist" in project.targets("a.py", CALLS)
