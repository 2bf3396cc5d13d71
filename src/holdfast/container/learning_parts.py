"""Builds what learns from sessions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.intake.secrets import redact
from holdfast.learn.changes.read_changes import follow_ups, overlooked
from holdfast.learn.changes.told_changes import find_changes
from holdfast.learn.consolidate import Consolidation
from holdfast.learn.keep.reflection import reflect
from holdfast.learn.keep.rule_extractor import extract
from holdfast.learn.keep.summary import summarise
from holdfast.learn.learner import Learner
from holdfast.learn.llm_extractor import CONFLICT_FIELDS, PAGE_FIELDS, LlmExtractor
from holdfast.learn.page_extractor import PageExtractor, RuleExtractor
from holdfast.learn.reflect import FIELDS, Reflector
from holdfast.learn.resolve import ConflictResolver
from holdfast.recall.similar import SaidBefore, SimilarByMeaning
from holdfast.sessions.quoted import StoredQuotes
from holdfast.statements import change_odds, compare

if TYPE_CHECKING:
    from holdfast.container import Container


def similar_by_meaning(c: Container) -> SimilarByMeaning:
    return SimilarByMeaning(
        c.reading, c.recall_resources, c.types, c.now, c.project, c.models.embedder, c.embedder_scales
    )


def consolidation(c: Container) -> Consolidation:
    pages, conflicts = c.chats.chat("consolidate", PAGE_FIELDS), c.chats.chat("conflict", CONFLICT_FIELDS)
    resolver = ConflictResolver(partial(compare, overheard=True), c.settings.near_duplicate, change_odds)
    return Consolidation(
        sessions=c.store.sessions,
        intake=c.intake,
        lock=c.learning_lock,
        extractor=PageExtractor(
            RuleExtractor(extract, find_changes, follow_ups, overlooked, summarise),
            resolver,
            c.similar_by_meaning,
            c.types,
            SaidBefore(c.reading, c.project),
            StoredQuotes(c.reading, c.project),
        ),
        ids=c.ids,
        now=c.now,
        project=c.project,
        redact=redact,
        llm=LlmExtractor(pages, conflicts, c.types) if pages and conflicts else None,
    )


def reflector(c: Container) -> Reflector:
    chat = c.chats.chat("reflect", FIELDS)
    return Reflector(c.reading, c.intake, c.learning_lock, c.now, c.project, reflect, chat)


def learner(c: Container) -> Learner:
    return Learner(
        consolidation=c.consolidation,
        reflector=c.reflector,
        window=c.window,
        sessions=c.store.sessions,
        views=c.views if c.settings.memory_files else None,
        chat=partial(c.chats.chat, "compress"),
        store_messages=c.journal_messages.store_all,
        now=c.now,
        project=c.project,
    )
