"""The English messages of the package core: the ways a project is identified."""

from __future__ import annotations

from holdfast.interfaces.language import translatable
from holdfast.system.project_description import ProjectCode

MESSAGES = {
    ProjectCode.GIT_REMOTE: translatable("its Git remote, {remote}"),
    ProjectCode.GIT_FOLDER: translatable("its Git folder"),
    ProjectCode.MARKER: translatable("its marker file, {file}"),
    ProjectCode.FOLDER: translatable("its folder"),
}
