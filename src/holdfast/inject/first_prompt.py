"""Finds what the first prompt of a session gets: memories, and the names of files that it will probably need.

Only what was learned: messages and files are long, and the agent can search them. Nobody asked, so a hit needs more
evidence than in a search: a prompt that memory knows nothing about gets nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.answer import Filters, Hit, Why
from holdfast.core.citation import one_line
from holdfast.core.frozen import frozen
from holdfast.inject.already_read import Instructions
from holdfast.inject.named_files import files_in
from holdfast.inject.step_notes import WARNINGS
from holdfast.recall.evidence.answerability import TASK
from holdfast.recall.pack import PackSources, pack
from holdfast.recall.paths import EXEMPT_FROM_ABSTENTION
from holdfast.text.similarity import content_words

if TYPE_CHECKING:
    from holdfast.core.answer import Pack
    from holdfast.core.memory import Memory
    from holdfast.models.protocols import TokenCounter
    from holdfast.recall.recaller import Recaller

BUDGET = 1_500
# What helps with a task. States of the work and rules come at the start; statistics are for planners.
TYPES = (
    *WARNINGS, "decision", "requirement", "preference", "pattern", "fact", "module_insight", "workflow_recipe",
    "causal_dependency",
)  # fmt: skip
_MOST_WARNINGS, _MOST_HITS = 8, 24
# Memories are given if one answers the prompt with this probability, or helps with the task with this one; then all
# that help with the lower one are given. A prompt with fewer words that carry meaning, such as "Yes, please do", needs
# an answer that is more probable. Chosen also in stores of 1 to 12 memories; `holdfast bench context` measures it.
_ANSWERS, _HELPS, _MAY_HELP = 0.18, 0.35, 0.12
_FEWEST_WORDS, _ANSWERS_FEW = 3, 0.3
FILES = "## Files that similar sessions needed first (not opened yet)\n"


@frozen
class FirstPrompt:
    """Builds the pack for the first prompt of a session. `predict` returns paths, the most probable first."""

    recaller: Recaller
    tokens: TokenCounter
    predict: Callable[[str, str], Sequence[str]]
    passes: Callable[[Memory], bool]
    near_duplicate: float
    root: str

    def build(
        self,
        prompt: str,
        session: str | None = None,
        branch: str = "",
        budget: int | None = None,
        *,
        supply: bool = True,
        instructions: str = "",
    ) -> Pack:
        """The memories for the prompt, warnings about the files that it names first, and the files to look at.

        With `supply`, its memories count as given to the session.
        """
        most = BUDGET if budget is None else budget
        named = files_in(prompt, self.root)
        files = self._files([path for path in self.predict(prompt, branch) if path not in named], most)
        known = self.recaller.usage.supplied(session) if session else frozenset()
        filters = Filters(types=TYPES, not_session=session)
        answer = self.recaller.recall(prompt, filters, _MOST_HITS, abstain=False, hyde=False, count=False)
        found = [hit for hit in _helpful(prompt, answer.hits) if hit.memory and self.passes(hit.memory)]
        read = Instructions(instructions)
        new = [hit for hit in (*self._warnings(named), *found) if hit.memory and not read.say(hit.memory)]
        sources = PackSources(new, known=known)
        left = most - self.tokens.count(files)
        packed = pack(sources, left, {}, self.tokens, answer.trace, near_duplicate=self.near_duplicate)
        if supply:
            self._record(packed, session)
        text = "\n\n".join(filter(None, (packed.text, files)))
        return replace(packed, text=text, tokens=self.tokens.count(text), budget=most, warnings=answer.warnings)

    def _warnings(self, named: Sequence[str]) -> list[Hit]:
        """Warnings about the files that the prompt names."""
        if not named:
            return []
        recaller, filters = self.recaller, Filters(files=tuple(named), types=WARNINGS)
        found = recaller.memories.memories(recaller.project, filters, limit=_MOST_WARNINGS)
        return [Hit(memory, memory.content, 1.0, Why({}, {})) for memory in found if self.passes(memory)]

    def _files(self, paths: Sequence[str], budget: int) -> str:
        """The paths of files that fit into a third of the budget. They are no memories: nothing is cited."""
        likely = [path for path in paths if os.path.isfile(os.path.join(self.root, path))]
        while likely and self.tokens.count(FILES + by_folder(likely)) > budget // 3:
            likely.pop()
        return FILES + by_folder(likely) if likely else ""

    def _record(self, packed: Pack, session: str | None) -> None:
        ids = [citation.id for citation in packed.citations]
        if ids:
            self.recaller.usage.found(ids)
        if session:
            self.recaller.usage.supply(session, ids)


def by_folder(paths: Sequence[str]) -> str:
    """The paths with one line per folder, `- src/{tide.py, moon.py}`: that is a third shorter."""
    folders: dict[str, list[str]] = {}
    for path in map(one_line, paths):
        folder, _, name = path.rpartition("/")
        folders.setdefault(f"{folder}/" if folder else "", []).append(name)
    return "\n".join(
        f"- {folder}{names[0]}" if len(names) == 1 else f"- {folder}{{{', '.join(names)}}}"
        for folder, names in folders.items()
    )


def _helpful(prompt: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that help with the prompt, if one is convincing, and any facts about the files that it names."""
    is_task = len(content_words(prompt)) >= _FEWEST_WORDS
    answers = any(_factor(hit, "evidence") >= (_ANSWERS if is_task else _ANSWERS_FEW) for hit in hits)
    helps = is_task and any(_factor(hit, TASK) >= _HELPS for hit in hits)
    helping = [hit for hit in hits if (answers or helps) and _factor(hit, TASK) >= _MAY_HELP]
    return [hit for hit in hits if hit in helping or not EXEMPT_FROM_ABSTENTION.isdisjoint(hit.why.paths)]


def _factor(hit: Hit, name: str) -> float:
    return hit.why.factors.get(name, 0.0)
