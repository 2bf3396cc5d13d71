"""Everything that can go wrong, as one tree.

    HoldfastError
    ├── InvalidInput               the caller gave something that cannot be used
    │   ├── InvalidMemory          a field of a memory is out of range or malformed
    │   ├── UnknownType            a memory type nobody registered
    │   ├── InvalidSettings        a setting has a value it cannot have
    │   └── InvalidFile            a file to import is not what it should be
    ├── NotFound                   no such memory, session, model or project
    ├── NotInstalled               an optional part is not installed
    ├── StoreError                 the database cannot do it
    │   ├── StoreBusy              other writers kept the database for too long
    │   ├── Overtaken              another process did the same work meanwhile
    │   ├── StoreFull              the disk is full
    │   ├── StoreReadOnly          the file or its folder cannot be written
    │   ├── StoreNewer             a newer Holdfast wrote this database
    │   ├── StoreForeign           this SQLite file belongs to another program
    │   └── StoreDamaged           the file is not a healthy database
    └── ModelError                 a model cannot do it
        ├── ModelMissing           no such model here
        ├── ModelDamaged           a model file is not the one that was promised
        ├── ModelUnreachable       the endpoint did not answer in time
        ├── ModelRefused           the endpoint said no
        ├── CeilingReached         it was asked enough for today
        └── ModelGarbled           the endpoint answered something unusable

Each class's first sentence is its message; `detail` says what, `hint` says what to do next.
"""

from __future__ import annotations


class HoldfastError(Exception):
    """Holdfast could not do what was asked."""

    hint: str = "Run `holdfast doctor` to see the state of the store."

    def __init__(self, detail: str = "", *, hint: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        if hint is not None:
            self.hint = hint

    @property
    def what(self) -> str:
        """The class's own sentence, without its full stop."""
        return (type(self).__doc__ or "").strip().split("\n", 1)[0].rstrip(".")

    def __str__(self) -> str:
        said = f"{self.what}: {self.detail}" if self.detail else self.what
        return f"{said.rstrip('.')}. {self.hint}".strip()


class InvalidInput(HoldfastError):
    """This cannot be used."""

    hint = "See `holdfast --help` for what is expected."


class InvalidMemory(InvalidInput):
    """This memory is not valid."""

    hint = "Correct that field and try again."


class UnknownType(InvalidInput):
    """There is no such memory type."""

    hint = "See `holdfast remember --help` for the types."


class InvalidSettings(InvalidInput):
    """This setting cannot have that value."""

    hint = "See docs/reference/settings.md for every setting, its default and its help."


class InvalidFile(InvalidInput):
    """This file cannot be read as that format."""

    hint = "Nothing was changed. Check the file, or name the format with --format."


class NotFound(HoldfastError):
    """There is no such thing here."""

    hint = "`holdfast list` shows what there is."


class NotInstalled(HoldfastError):
    """An optional part is not installed."""

    hint = "Install it with pip."


class StoreError(HoldfastError):
    """The database could not do it."""


class StoreBusy(StoreError):
    """Other writers kept the database for too long."""

    hint = "Try again; `holdfast stats` shows the background work under way."


class Overtaken(StoreError):
    """Another process did this work meanwhile, and nothing was done twice."""

    hint = "Look again: what is there now is complete."


class StoreFull(StoreError):
    """The disk is full, and nothing was changed."""

    hint = "Free some space and try again."


class StoreReadOnly(StoreError):
    """The database or its folder cannot be written."""

    hint = "Check its permissions, or choose another file with --db or HOLDFAST_DB."


class StoreNewer(StoreError):
    """A newer Holdfast wrote this database, and it was left untouched."""

    hint = "Upgrade with `pip install --upgrade holdfast`, or choose another file with --db."


class StoreForeign(StoreError):
    """This file is not a Holdfast database, and it was left untouched."""

    hint = "Choose another file with --db or HOLDFAST_DB."


class StoreDamaged(StoreError):
    """The database file is damaged."""

    hint = "Run `holdfast doctor --repair`; backups lie beside the file."


class ModelError(HoldfastError):
    """The model could not do it."""

    hint = "`holdfast models list` shows what can be used."


class ModelMissing(ModelError):
    """There is no such model here."""


class ModelDamaged(ModelError):
    """A model file is not the one that was promised, and it was not loaded."""

    hint = "Reinstall Holdfast, or pull the model again with `holdfast models pull`."


class ModelUnreachable(ModelError):
    """The model endpoint did not answer."""

    hint = "Check its address and that it runs; words are still searched without it."


class ModelRefused(ModelError):
    """The model endpoint refused."""

    hint = "Check the key, the model name and the quota."


class CeilingReached(ModelError):
    """Language models were asked enough for today."""

    hint = "Holdfast goes on without one; raise llm_daily_calls or llm_daily_tokens if that is too little."


class ModelGarbled(ModelError):
    """The model endpoint answered something that cannot be used."""

    hint = "Check that the address speaks the OpenAI-compatible API."
