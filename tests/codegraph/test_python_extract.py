"""What is read from one Python file."""

import pytest

from holdfast.codegraph.code_records import FileRecord, ImportedName, Parameter
from holdfast.codegraph.languages.python.python_extract import extract

SOURCE = '''
import os.path
import json as j
from . import sibling
from ..shop.cart import Cart as Basket, Item

LIMIT = 3


@register("x")
class Order(Model, Generic[T]):
    """An order."""

    total: Money = Money(0)

    def __init__(self, cart: "Basket", *items: Item, clock=None, **extra):
        self.cart = cart
        self.clock = clock or Clock()

    @property
    async def lines(self) -> list[Line]:
        for place, line in enumerate(self.cart.lines()):
            self.check(line)[0].run()
        with open(LIMIT) as file, self.lock:
            pass


def make(source):
    order = Order(source)
    if isinstance(source, (Cart, dict)):
        return order
    return sibling.build(LIMIT).order
'''


@pytest.fixture(scope="module")
def record() -> FileRecord:
    return extract("shop/order.py", SOURCE.encode(), "h")


def test_definitions_have_kinds_parents_and_ranges(record):
    shown = [(d.qualified, d.kind, d.start_line, d.end_line) for d in record.definitions]
    assert shown == [
        ("Order", "class", 10, 25),
        ("Order.__init__", "method", 16, 18),
        ("Order.lines", "method", 20, 25),
        ("make", "function", 28, 32),
        ("LIMIT", "variable", 7, 7),
        ("Order.total", "variable", 14, 14),
        ("Order.cart", "property", 17, 17),
        ("Order.clock", "property", 18, 18),
    ]
    order, init, lines, make = record.definitions[:4]
    assert order.bases == ("Model", "Generic[T]")
    assert order.decorators == ("register()",)
    assert init.parameters[1:] == (
        Parameter("cart", "Basket"),
        Parameter("*items", "Item"),
        Parameter("clock", "", "<none>"),
        Parameter("**extra"),
    )
    assert (lines.type, lines.decorators, lines.modifiers, lines.parent) == ("list[Line]", ("property",), ("async",), 0)
    assert make.values == ("Order()", "sibling.build().order")


def test_imports_have_levels_and_aliases(record):
    shown = [(i.module, i.level, i.alias, i.names) for i in record.imports]
    assert shown == [
        ("os.path", 0, "", ()),
        ("json", 0, "j", ()),
        ("", 1, "", (ImportedName("sibling", "sibling"),)),
        ("shop.cart", 2, "", (ImportedName("Cart", "Basket"), ImportedName("Item", "Item"))),
    ]


def test_references_name_the_whole_chain_and_where_it_ends(record):
    shown = {(r.expression, r.kind, r.line, r.column) for r in record.references}
    assert {
        ("register", "call", 10, 1),
        ("Money", "type", 14, 11),
        ("Basket", "type", 16, 30),
        ("Clock", "call", 18, 30),
        ("self.cart.lines", "call", 22, 47),
        ("self.check", "call", 23, 17),
        ("self.check()[0].run", "call", 23, 32),
        ("LIMIT", "read", 24, 18),
        ("self.lock", "read", 24, 39),
        ("sibling.build().order", "read", 32, 32),
    } <= shown
    scopes = {r.expression: r.scope for r in record.references}
    assert scopes["register"] == -1  # A decorator is outside of what it decorates.
    assert record.definitions[scopes["self.check"]].qualified == "Order.lines"


def test_bindings_say_where_the_types_of_names_come_from(record):
    shown = {(b.name, b.form, b.value) for b in record.bindings}
    assert {
        ("self.cart", "value", "cart"),
        ("self.clock", "value", "clock|Clock()"),
        ("line", "value", "self.cart.lines()[*]"),
        ("file", "entered", "open()"),
        ("order", "value", "Order()"),
        ("source", "narrowed", "Cart | dict"),
    } <= shown


@pytest.mark.integration
@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff\xfe\x00",
        b"def f(:\n  x = \n",
        b"(" * 10_000,
        b"a" + b".b()" * 20_000,
        b"class A(B:\n def m(self): A.m(",
    ],
)
def test_any_bytes_are_read(source):
    assert extract("a.py", source, "").lines <= 3


def test_a_file_with_errors_is_read_in_part():
    record = extract("a.py", b"def good():\n    return other()\n\ndef bad(:\n", "")
    assert record.has_errors
    assert [d.name for d in record.definitions][:1] == ["good"]
    assert [r.expression for r in record.references][:1] == ["other"]
