"""Builds background work and health checks."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from holdfast.container.job_table import JOBS
from holdfast.core.built_once import later
from holdfast.upkeep.runner import Background, JobRunner

if TYPE_CHECKING:
    from holdfast.codegraph.code_jobs import CodeIndexing
    from holdfast.container import Container
    from holdfast.upkeep.doctor import HealthReport
    from holdfast.upkeep.embed_job import PassageEmbedding
    from holdfast.upkeep.erase import Eraser
    from holdfast.upkeep.survey import ProjectSurvey


def background(c: Container) -> Background:
    environment = {"HOLDFAST_DB": c.store.address, "HOLDFAST_PROJECT": c.root}
    return Background(c.settings, JOBS, c, c.reading, c.now, c.project, environment)


def job_runner(c: Container) -> JobRunner:
    return JobRunner(JOBS, c, c.settings.schedule, c.reading, c.store.jobs, c.now, c.project)


def embedding(c: Container) -> PassageEmbedding:
    from holdfast.upkeep.embed_job import PassageEmbedding

    models = c.models
    unmeasured = models.uncached if models.card_scales is None else None
    return PassageEmbedding(c.reading, c.store.memories, models.embedder, c.opened.static, models.code_map, unmeasured)


def code_indexing(c: Container) -> CodeIndexing:
    from holdfast.codegraph.code_jobs import CodeIndexing

    return CodeIndexing(c.reading, lambda: c.code_indexer, c.project)


def eraser(c: Container) -> Eraser:
    from holdfast.upkeep.erase import Eraser

    return Eraser(
        c.store, c.project, c.now, c.every_folder.erase,
        lambda patience: replace(c.learning_lock, patience=patience).acquire(),
    )  # fmt: skip


def health(c: Container) -> HealthReport:
    from holdfast.system.hook_log import read_failures
    from holdfast.upkeep.doctor import HealthReport

    return HealthReport(
        c.store, c.models.embedder, c.models.check, c.chats.ceiling, partial(c.chats.chat, "doctor"), c.now, c.project,
        c.root, partial(read_failures, os.environ), later(lambda: c.code_analysis.slowest_walk), bool(c.settings.user),
    )  # fmt: skip


def survey(c: Container) -> ProjectSurvey:
    """Finds what the project has that memory could begin with."""
    from holdfast.upkeep.survey import survey

    indexed = c.reading.count_documents(c.project)["documents"]
    known = {span.id for span in c.reading.sessions(c.project)}
    is_unknown = c.settings.index_code and not c.reading.code_generation(c.project)
    code = c.code_indexer.count_files() if is_unknown else 0
    return survey(c.root, os.path.expanduser("~"), c.document_rules(None), indexed, code, c.importer.has_new, known)
