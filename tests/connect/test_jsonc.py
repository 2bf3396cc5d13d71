"""Changes of JSON files that people write."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.agents.connect import jsonc
from holdfast.core.errors import InvalidFile

names = st.text("abc", min_size=1, max_size=2)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab"/*,{[\\\n', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=12,
)
objects = st.dictionaries(names, values, max_size=4)
gaps = st.sampled_from(["", " ", "\n", "\n  ", " // c1\n", "/* c2 */", "\n// c3 }],{\n  "])


@st.composite
def written(draw, value):
    """A value as a person may write it: with white space, comments and trailing commas anywhere."""
    gap = lambda: draw(gaps)  # noqa: E731
    if isinstance(value, dict):
        inner = [f"{gap()}{json.dumps(k)}{gap()}:{gap()}{draw(written(v))}{gap()}" for k, v in value.items()]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        inner = [f"{gap()}{draw(written(v))}{gap()}" for v in value]
        opening, closing = "[", "]"
    else:
        return json.dumps(value)
    trailing = "," if inner and draw(st.booleans()) else ""
    return opening + ",".join(inner) + trailing + gap() + closing


@st.composite
def files(draw):
    value = draw(objects)
    return value, draw(gaps) + draw(written(value)) + draw(gaps)


def comments(text):
    return re.findall(r"c[123]", re.sub(r'"(?:[^"\\]|\\.)*"', '""', text))


@given(files())
def test_comments_and_trailing_commas_are_read(file):
    value, text = file
    assert jsonc.load(text) == value


@given(files(), st.lists(names, min_size=1, max_size=3), values)
def test_a_member_is_set_and_all_else_stays(file, path, new):
    value, text = file
    expected = json.loads(json.dumps(value))
    place = expected
    for name in path[:-1]:
        if not isinstance(place.setdefault(name, {}), dict):
            with pytest.raises(InvalidFile):
                jsonc.set_member(text, path, new)
            return
        place = place[name]
    replaced = json.dumps(place.get(path[-1]))
    place[path[-1]] = new
    changed = jsonc.set_member(text, path, new)
    assert jsonc.load(changed) == expected
    if replaced == "null":
        assert comments(changed) == comments(text)


@given(files(), names, values)
def test_an_item_is_added_and_taken_out_again(file, name, new):
    value, text = file
    if name in value and not isinstance(value[name], list):
        with pytest.raises(InvalidFile):
            jsonc.add_item(text, [name], new)
        return
    changed = jsonc.add_item(text, [name], new)
    assert jsonc.load(changed) == {**value, name: [*value.get(name, []), new]}
    back = jsonc.remove_item(changed, [name], len(value.get(name, [])))
    assert jsonc.load(back) == {**value, name: value.get(name, [])}
    assert comments(back) == comments(text)


@given(files(), st.data())
def test_a_member_is_removed_and_all_else_stays(file, data):
    value, text = file
    name = data.draw(names)
    changed = jsonc.remove_member(text, [name])
    assert jsonc.load(changed) == {k: v for k, v in value.items() if k != name}
    if name not in value:
        assert changed == text


@given(files(), st.integers(0, 3), names)
def test_an_item_is_removed_and_all_else_stays(file, place, name):
    value, text = file
    found = value.get(name)
    changed = jsonc.remove_item(text, [name], place)
    if isinstance(found, list) and place < len(found):
        assert jsonc.load(changed) == {**value, name: found[:place] + found[place + 1 :]}


_FILE = """\
{
    // The model that I like.
    "model": "opus", // fast
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]}, // mine
        ],
    },
}
"""


def test_what_is_added_is_indented_like_the_rest():
    changed = jsonc.set_member(_FILE, ["mcp", "holdfast"], {"command": "x"})
    added = '    "mcp": {\n        "holdfast": {\n            "command": "x"\n        }\n    },\n}\n'
    assert changed == _FILE[: -len("}\n")] + added
    assert jsonc.remove_member(changed, ["mcp"]) == _FILE


def test_what_is_added_and_removed_again_leaves_nothing():
    changed = jsonc.add_item(_FILE, ["hooks", "Stop"], {"hooks": []})
    assert changed != _FILE
    assert jsonc.remove_item(changed, ["hooks", "Stop"], 1) == _FILE
    commented = '{\n  "a": 1 // one\n  // the end\n}\n'
    assert jsonc.set_member(commented, ["b"], 2) == '{\n  "a": 1, // one\n  "b": 2\n  // the end\n}\n'
    one_line = '{"a": [1, 2]}'
    assert jsonc.add_item(one_line, ["a"], 3) == '{"a": [1, 2, 3]}'
    assert jsonc.remove_item('{"a": [1, 2, 3]}', ["a"], 1) == '{"a": [1, 3]}'


@pytest.mark.parametrize("text", ["", "  \n", "// nothing yet\n", "\ufeff"])
def test_an_empty_file_becomes_an_object(text):
    assert jsonc.load(text) == {}
    assert jsonc.load(jsonc.set_member(text, ["a"], 1)) == {"a": 1}
    assert jsonc.load(jsonc.add_item(text, ["a"], 1)) == {"a": [1]}


def test_line_ends_of_windows_stay():
    text = '{\r\n  "a": 1\r\n}\r\n'
    changed = jsonc.set_member(text, ["b"], {"c": 1})
    assert changed.count("\n") == changed.count("\r\n")
    assert jsonc.remove_member(changed, ["b"]) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": }', 1),
        ('{\n"a" 1}', 2),
        ("{\n\n[1]: 2}", 3),
        ('{"a": 1} x', 1),
        ('{"a": 1', 1),
        ("[" * 500, 1),
        ("{'a'", 1),
    ],
)
def test_an_error_names_its_line(text, line):
    with pytest.raises(InvalidFile, match=f"line {line}:"):
        jsonc.load(text)


@given(st.text('{}[]",:/*\\ \n1a'))
def test_any_text_is_read_or_refused(text):
    try:
        value = jsonc.load(text)
    except InvalidFile:
        return
    json.dumps(value)
