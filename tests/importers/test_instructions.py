"""Statements of instruction files: their text, type, files and steps."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.importers.blocks import blocks
from holdfast.importers.imported_rules import statements

CLAUDE = """\
# CLAUDE.md

This file provides guidance to Claude Code (claude.ai/code) when working with code in this repository.

## Commands

```bash
npm test          # Run all tests
# Lint
npx standard
```

## Architecture

The engine lives in `src/engine/` and **never** imports the UI.

- `src/engine/` - Rules of the game
- **UI**:
  - Uses [Preact](https://preactjs.com/)
  - No class components

## Rules

- Never push to main.
- 2 spaces

## Gotchas

* The clock is in UTC; `Date.now()` in tests
  is frozen.

## Releasing

1. Run `make check`
2. Tag the commit
3. Push the tag

| variable | meaning |
|---|---|
| PORT | where it listens |

<!-- holdfast: begin -->
- Ask holdfast first.
<!-- holdfast: end -->
"""


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "src" / "engine").mkdir(parents=True)
    return str(tmp_path)


def test_a_real_file_becomes_typed_statements(root: str) -> None:
    found = [(item.type, item.text) for item in statements(CLAUDE, root)]
    assert found == [
        (None, "Run all tests: `npm test`"),  # Nothing in the file tells: intake infers it.
        (None, "Lint: `npx standard`"),
        ("requirement", "The engine lives in `src/engine/` and never imports the UI."),
        ("module_insight", "Architecture: `src/engine/` - Rules of the game"),
        ("module_insight", "UI: Uses Preact (https://preactjs.com/)"),
        ("module_insight", "UI: No class components"),
        ("requirement", "Never push to main."),
        ("requirement", "Rules: 2 spaces"),
        ("gotcha", "The clock is in UTC; `Date.now()` in tests is frozen."),
        ("workflow_recipe", "Releasing: 1. Run `make check` 2. Tag the commit 3. Push the tag"),
        (None, "PORT: where it listens"),
    ]


def test_steps_and_files_are_kept(root: str) -> None:
    items = list(statements(CLAUDE, root))
    recipe = next(item for item in items if item.type == "workflow_recipe")
    assert recipe.fields["task_pattern"] == "Releasing"
    assert recipe.fields["steps"][1] == {"order": 2, "description": "Tag the commit"}
    assert next(item for item in items if "never imports" in item.text).files == ("src/engine",)


@pytest.mark.parametrize(
    ("front", "files"),
    [
        ("globs: src/engine/**/*.ts, *.md\nalwaysApply: false", ("src/engine",)),
        ('paths:\n  - "src/engine/*.ts"', ("src/engine",)),
        ('applyTo: "src/**"', ("src",)),
        ("globs: [*.md, src/engine/*.{ts,tsx}]", ("src/engine",)),
        ("globs: ../../etc/**, /etc/passwd", ()),
        ("trigger: always_on", ()),
    ],
)
def test_the_scope_of_a_rule_becomes_its_files(root: str, front: str, files: tuple[str, ...]) -> None:
    (item,) = statements(f"---\n{front}\n---\n\nKeep functions short and pure.\n", root)
    assert item.files == files


@given(st.text(alphabet="ab#-*1.`|:<!> \n\t[]()_~", max_size=300))
def test_any_text_is_read_and_no_word_is_invented(text: str) -> None:
    words = {"".join(filter(str.isalnum, part)) for block in blocks(text) for part in block.text.split()}
    assert all(word in "".join(filter(str.isalnum, text)) for word in words)


@pytest.mark.integration
@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "<!-- holdfast begin -->",
        "- ",
        "```\n",
        "[",
        "**",
        "a: `",
        "1. a\n",
        "|a",
        "# ",
        "  - a\n",
        "@a/b.md ",
    ],
)
def test_a_large_hostile_text_takes_little_time(root: str, piece: str) -> None:
    assert len(list(statements(piece * (100_000 // len(piece)), root))) <= 100_000


def test_a_heading_that_negates_stays_with_its_items(tmp_path: Path) -> None:
    text = (
        "# Pitfalls and anti-patterns\n\n### ❌ Never Do This\n\n1. **Storing keys in plaintext files**\n\n"
        "- Never log the keys of a user\n\n### ✅ Always Do This\n\n- Keep the keys in memory until logout\n\n"
        "Please do not:\n\n- Use gradients for decoration of tables\n\n## À éviter\n\n"
        "- Les clés en clair dans les fichiers\n"
    )
    assert [item.text for item in statements(text, str(tmp_path))] == [
        "Never Do This: Storing keys in plaintext files",
        "Never log the keys of a user",
        "Keep the keys in memory until logout",
        "Please do not: Use gradients for decoration of tables",
        "À éviter: Les clés en clair dans les fichiers",
    ]
