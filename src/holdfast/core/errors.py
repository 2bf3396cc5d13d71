"""All errors of Holdfast, as one tree.

    HoldfastError
    ├── InvalidInput               an argument or value is not valid
    │   ├── InvalidMemory          a field of a memory is out of range or malformed
    │   ├── UnknownType            the memory type is not registered
    │   ├── InvalidSettings        a setting is unknown or has an invalid value
    │   └── InvalidFile            a file cannot be read or does not have the expected format
    │       └── FileNotWritten     a file cannot be written
    ├── NotFound                   no such memory, session, model or project
    ├── NotPermitted               an agent asked for what only a person may do
    ├── NotInstalled               an optional package is not installed
    ├── StoreError                 the database operation failed
    │   ├── StoreBusy              other processes locked the database for too long
    │   ├── Overtaken              another process did the same work first
    │   ├── StoreFull              the disk is full
    │   ├── StoreReadOnly          the database file or its folder is not writable
    │   ├── StoreNewer             a newer version of Holdfast wrote the database
    │   ├── StoreOlder             the database is from before the first release
    │   ├── StoreForeign           the file is not a Holdfast database
    │   ├── StoreClosed            the workspace was closed before
    │   ├── StoreReplaced          the database file was deleted or replaced while it was open
    │   └── StoreDamaged           the database file is damaged
    └── ModelError                 a model request failed
        ├── ModelMissing           the model is not installed
        ├── ModelDamaged           a model file does not match its checksum
        ├── ModelUnreachable       the model endpoint failed or did not answer in time
        ├── ModelRefused           the model endpoint refused the request
        ├── CeilingReached         the daily limit for language-model calls is reached
        └── ModelGarbled           the model endpoint sent an unusable answer

The first sentence of each class is its message; `detail` names the object and the cause, `hint` the next step.
"""

from __future__ import annotations


class HoldfastError(Exception):
    """The operation failed."""

    hint: str = "Run `holdfast doctor` to check the database."

    def __init__(self, detail: str = "", *, hint: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        if hint is not None:
            self.hint = hint

    @property
    def what(self) -> str:
        """The first sentence of the class, without its full stop."""
        return (type(self).__doc__ or "").strip().split("\n", 1)[0].rstrip(".")

    def __str__(self) -> str:
        text = f"{self.what}: {self.detail}" if self.detail else self.what
        return f"{text.rstrip('.')}. {self.hint}".strip()


class InvalidInput(HoldfastError):
    """The input is not valid."""

    hint = "See `holdfast --help`."


class InvalidMemory(InvalidInput):
    """The memory is not valid."""

    hint = "Correct the field and try again."


class UnknownType(InvalidInput):
    """The memory type does not exist."""

    hint = "See `holdfast remember --help` for the memory types."


class InvalidSettings(InvalidInput):
    """The setting is not valid."""

    hint = "`holdfast config --all` lists all settings and their values."


class InvalidFile(InvalidInput):
    """The file cannot be used."""

    hint = "Nothing was changed. Check the file, or give its format with --format."


class FileNotWritten(InvalidFile):
    """The file cannot be written."""

    hint = "Check its folder, its permissions and the free space."


class NotFound(HoldfastError):
    """Not found."""

    hint = "`holdfast list` shows the stored memories."


class NotPermitted(HoldfastError):
    """Only a person can do this."""

    hint = "Ask the user to decide."


class NotInstalled(HoldfastError):
    """An optional package is not installed."""

    hint = "Install it with pip."


class StoreError(HoldfastError):
    """The database operation failed."""


class StoreBusy(StoreError):
    """Other processes locked the database for too long."""

    hint = "Try again; `holdfast stats` shows the running background jobs."


class Overtaken(StoreError):
    """Another process did the same work first; nothing was done twice."""

    hint = "Read the data again; it is complete."


class StoreFull(StoreError):
    """The disk is full; nothing was changed."""

    hint = "Free some disk space and try again."


class StoreReadOnly(StoreError):
    """The database file or its folder is not writable."""

    hint = "Check the permissions, or choose another file with --db or HOLDFAST_DB."


class StoreNewer(StoreError):
    """A newer version of Holdfast wrote this database; it was not changed."""

    hint = "Install the newer version again, or choose another file with --db."


class StoreOlder(StoreError):
    """This database is from before the first release; it was not changed."""

    hint = "Run `holdfast doctor --repair`: it makes a new database with everything in it, and keeps the old one."


class StoreForeign(StoreError):
    """The file is not a Holdfast database; it was not changed."""

    hint = "Choose another file with --db or HOLDFAST_DB."


class StoreClosed(StoreError):
    """The workspace is closed."""

    hint = "Open it again with `holdfast.open()`, or call it inside its `with` block."


class StoreReplaced(StoreError):
    """The database file was deleted or replaced while this program used it; nothing was stored."""

    hint = "Start the program again. If the file was deleted, copy its newest backup, next to it, to its place."


class StoreDamaged(StoreError):
    """The database file is damaged."""

    hint = "Run `holdfast doctor --repair`; backups are next to the file."


class ModelError(HoldfastError):
    """The model request failed."""

    hint = "`holdfast models list` shows the available models."

    @property
    def of_request(self) -> bool:
        """Did only this request fail, for example because its text is too long? If not, the model does not work now."""
        return False


class ModelMissing(ModelError):
    """The model is not installed."""


class ModelDamaged(ModelError):
    """A model file does not match its checksum; it was not loaded."""

    hint = "Reinstall Holdfast, or pull the model again with `holdfast models pull`."


class ModelUnreachable(ModelError):
    """The model endpoint failed."""

    hint = "Check its address and that it runs; search by words works without it."


class ModelRefused(ModelError):
    """The model endpoint refused the request."""

    hint = "Check the key, the model name and the quota."


class CeilingReached(ModelError):
    """The daily limit for language-model calls is reached."""

    hint = "Holdfast continues without the language model; raise llm_daily_calls or llm_daily_tokens to allow more."


class ModelGarbled(ModelError):
    """The model endpoint sent an unusable answer."""

    hint = "Check that the endpoint implements the OpenAI-compatible API."
