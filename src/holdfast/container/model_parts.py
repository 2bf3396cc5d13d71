"""Builds the models that the settings name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.models.chosen_models import ChosenModels
from holdfast.system.platform_folders import data_folder

if TYPE_CHECKING:
    from holdfast.container import Container
    from holdfast.llm.chats import Chats


def models(c: Container) -> ChosenModels:
    return ChosenModels(c.settings, data_folder(os.environ), c.store.cache, c.redact, c.reading.embedders)


def chats(c: Container) -> Chats:
    from holdfast.llm.chats import Chats

    return Chats(c.settings, c.store, c.now, c.redact)
