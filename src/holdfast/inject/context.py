"""Builds the context of a prompt within a token budget: standing rules, then hits by evidence; nothing twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Filters, Hit, Why
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE, REFLECTION
from holdfast.inject.errands import is_about_errand, is_errand
from holdfast.inject.insight import is_about_its_week, latest, with_insight
from holdfast.inject.personal_prompts import is_personal, limits_choices
from holdfast.intake.about_person import is_about_person
from holdfast.recall.evidence.answerability import TASK
from holdfast.recall.order.outdated import with_replacements
from holdfast.recall.pack import PackSources, budget_of, pack
from holdfast.recall.paths import EXEMPT_FROM_ABSTENTION
from holdfast.recall.search.adjacent_turns import with_adjacent_turns
from holdfast.recall.standing_rules import MOST_OVERHEARD, is_meant_to_last, is_settled
from holdfast.text.excerpts import excerpt
from holdfast.text.similarity import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.core.answer import Pack, Recall
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.models.protocols import TokenCounter
    from holdfast.recall.recaller import Recaller

# The number of hits to ask for: as many as fit if each takes this many tokens, within these bounds.
_LINE_TOKENS, _FEWEST, _MOST = 50, 24, 150
# A prompt that is a task names less of what it needs than a question does. Memories are given that have the evidence
# that a search requires, or help with the task with this probability. If there is one, all that help with the lower
# probability are given too, unless the prompt has fewer words that carry meaning. `holdfast bench context` measures it.
_HELPS, _MAY_HELP, _FEWEST_WORDS = 0.15, 0.03, 4
# At most this many memories about the person are read and given to a prompt about their life.
_OF_PERSONS, _READ_OF_PERSON, _MOST_OF_PERSON = ("preference", "fact"), 200, 6
# At most this many standing memories are read; their share of the default budget holds about fifteen.
_STANDING = 40


@frozen
class ContextBuilder:
    """Packs the memories that belong to a prompt."""

    recaller: Recaller
    tokens: TokenCounter
    types: TypeRegistry
    near_duplicate: float

    def build(
        self,
        prompt: str,
        phase: str | None,
        session: str | None,
        budget: int | None,
        repeat: bool = False,
        standing: bool = True,
    ) -> Pack:
        """The pack for a prompt, without what `session` said and, unless `repeat`, without what it was given before.

        Without `standing`, the rules that hold for every prompt are left out.
        """
        phase = self.recaller.map_phase(phase) if phase else None
        limit = budget_of(phase, budget)
        known = self.recaller.usage.supplied(session) if session and not repeat else frozenset()
        answer = self._ask(prompt, phase, session, limit, known)
        sources = self._sources(answer, session, known, standing)
        shares, most_alike = self.types.shares.get(phase or "", {}), self.near_duplicate
        packed = pack(sources, limit, shares, self.tokens, answer.trace, near_duplicate=most_alike)
        packed = with_insight(packed, self._insight(prompt, answer, known), self.tokens)
        self._record(packed, answer.hits, session)
        return replace(packed, warnings=answer.warnings)

    def _ask(self, prompt: str, phase: str | None, session: str | None, budget: int, known: frozenset[str]) -> Recall:
        """Asks for as many hits as may fit, however weak.

        Asks for memories once more if messages or files were found: evidence compares a hit with the best of its
        search, and similar messages must not weaken that of memories.
        """
        limit = min(max(budget // _LINE_TOKENS, _FEWEST) + len(known), _MOST)
        how: dict[str, Any] = {"phase": phase, "abstain": False, "hyde": False, "count": False}
        answer = self.recaller.recall(prompt, Filters(not_session=session), limit, **how)
        if all(map(_is_learned, answer.hits)):
            return answer
        types = tuple(name for name in self.types.names() if name not in (EPISODE, REFLECTION))
        memories = self.recaller.recall(prompt, Filters(not_session=session, types=types), limit, **how)
        alone = {hit.id: hit for hit in memories.hits}
        ranked = {hit.id: alone.get(hit.id, hit) for hit in answer.hits}
        return replace(answer, hits=tuple({**ranked, **alone}.values()))

    def _sources(self, answer: Recall, session: str | None, known: frozenset[str], standing: bool) -> PackSources:
        hits = [hit for hit in answer.hits if hit.type != REFLECTION and not _is_held(hit)]
        strong = [hit for hit in hits if self._is_strong(hit)]
        if is_errand(answer.query):
            named = [hit for hit in strong if _is_learned(hit) and is_about_errand(hit.text, answer.query)]
            return self._for_errand(named, session, known, standing)
        weak = [*self._weak(hits, answer.query), *self._about_person(hits, answer.query)]
        reading, project = self.recaller.memories, self.recaller.project
        strong_and_adjacent = with_replacements(with_adjacent_turns(strong, reading, project), reading, project)
        shown = [_shortened(hit, answer.query) for hit in strong_and_adjacent]
        rules = self._standing(hits, session) if standing else []
        return PackSources(shown, weak, _as_hits(rules, known), known)

    def _for_errand(
        self, named: Sequence[Hit], session: str | None, known: frozenset[str], standing: bool
    ) -> PackSources:
        """The rules that somebody taught or confirmed, and the memories that name the errand, such as "push".

        Messages and rules that were merely heard are about other work.
        """
        rules = [rule for rule in self._standing(named, session) if rule.is_taught] if standing else []
        return PackSources(named, (), _as_hits(rules, known), known)

    def _weak(self, hits: Sequence[Hit], prompt: str) -> list[Hit]:
        """The memories that help, but whose evidence is too weak for a search; the most helpful first."""
        learned = [hit for hit in hits if _is_learned(hit)]
        convinces = any(self._is_strong(hit) or _help(hit) >= _HELPS for hit in learned)
        least = _MAY_HELP if convinces and len(content_words(prompt)) >= _FEWEST_WORDS else _HELPS
        helpful = [hit for hit in learned if _help(hit) >= least and not self._is_strong(hit)]
        return sorted(helpful, key=_help, reverse=True)

    def _about_person(self, hits: Sequence[Hit], prompt: str) -> list[Hit]:
        """What is known of the person, if the prompt asks for advice about their life, the most helpful first.

        Such a prompt shares no words with what it needs: "suggest a dinner" with "I'm vegetarian".
        """
        if not is_personal(prompt):
            return []
        filters = Filters(types=_OF_PERSONS, needs_review=False)
        known = self.recaller.memories.memories(self.recaller.project, filters, limit=_READ_OF_PERSON)
        about = [m for m in known if m.taint is None and is_settled(m) and is_about_person(m) and not m.pinned]
        help = {hit.id: _help(hit) for hit in hits}
        about.sort(key=lambda memory: (-limits_choices(memory.content), -help.get(memory.id, 0.0)))
        return _as_hits(about[:_MOST_OF_PERSON], frozenset())

    def _standing(self, hits: Sequence[Hit], session: str | None) -> list[Memory]:
        """The memories that belong into every prompt: pinned ones first, then those that this prompt finds.

        Of the rules that were only overheard, few come: most concern the task that they were said in. A prompt finds
        those that concern it, as it finds other memories.
        """
        reading, project = self.recaller.memories, self.recaller.project
        read = reading.standing_memories(project, self.types.standing, not_session=session, limit=_STANDING)
        evidence = {hit.id: hit.why.factors["evidence"] for hit in hits}
        trusted = [memory for memory in read if not memory.quarantined]
        ordered = sorted(trusted, key=lambda memory: (not memory.pinned, -evidence.get(memory.id, 0.0)))
        overheard = [memory for memory in ordered if not memory.is_taught]
        lasting = [memory for memory in overheard if is_meant_to_last(memory) and is_settled(memory)]
        return [*(memory for memory in ordered if memory.is_taught), *lasting[:MOST_OVERHEARD]]

    def _is_strong(self, hit: Hit) -> bool:
        """Has it the evidence that a search requires?"""
        exempt = not EXEMPT_FROM_ABSTENTION.isdisjoint(hit.why.paths)
        return exempt or hit.why.factors["evidence"] >= self.recaller.abstain_below

    def _insight(self, prompt: str, answer: Recall, known: frozenset[str]) -> Memory | None:
        """The latest reflection, if it is the best hit or the prompt is about its week, and the session lacks it."""
        newest = latest(self.recaller.memories, self.recaller.project)
        if newest is None or newest.id in known:
            return None
        best = answer.hits[0] if answer.hits else None
        answers = best is not None and best.id == newest.id and self._is_strong(best)
        return newest if answers or is_about_its_week(prompt, newest, self.recaller.now()) else None

    def _record(self, packed: Pack, hits: Sequence[Hit], session: str | None) -> None:
        """Counts the hits in the pack, except standing memories, as found, and records what the session is given."""
        found = [citation.id for citation in packed.citations if not citation.standing]
        sources = {hit.id: hit.source_id for hit in hits}
        if counted := list(dict.fromkeys(sources[id] for id in found if id in sources)):
            self.recaller.usage.found(counted)
        if session:
            self.recaller.usage.supply(session, [citation.id for citation in packed.citations])


def _as_hits(rules: Sequence[Memory], known: frozenset[str]) -> list[Hit]:
    return [Hit(memory, memory.content, 0.0, Why({}, {})) for memory in rules if memory.id not in known]


def _shortened(hit: Hit, prompt: str) -> Hit:
    """Of a long message, the part that the prompt is about: one pasted plan would take the room of all others."""
    return hit if _is_learned(hit) or hit.memory is None else replace(hit, text=excerpt(hit.text, prompt))


def _is_held(hit: Hit) -> bool:
    """Is it a memory that waits for a person: tainted, or an agent's proposal to replace what a person decided?"""
    return _is_learned(hit) and hit.memory is not None and hit.memory.quarantined


def _help(hit: Hit) -> float:
    """How likely it helps with a task."""
    return hit.why.factors.get(TASK, 0.0)


def _is_learned(hit: Hit) -> bool:
    """Is it a memory, not a message or a passage of a file?"""
    return hit.memory is not None and hit.type != EPISODE
