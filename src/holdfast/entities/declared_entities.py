"""Finds the libraries that the project declares in texts: *we validate with pino*, but not *I got it*.

A name that is no word of the language counts wherever it stands. One that is (*got*, *debug*, *once*) counts only where
the text says that it is a library: *use got for requests*, *the got package*, *bump got to 12*. Backticks alone say
nothing, because fields and keywords have them too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache

from holdfast.core.entity import Mention
from holdfast.core.frozen import frozen
from holdfast.entities.manifests import declared_libraries, manifests
from holdfast.text.stop_words import STOP_WORDS

LONGEST = 20_000
_CONFIDENCE = 0.7  # Less than that of a well-known name, whose label may be more exact.
_NAME = re.compile(r"(?<![\w@/\\.#$~-])@?[A-Za-z][\w-]{1,99}(?:[./][\w-]{1,60}){0,3}(?![\w/\\])")
# Words of programmers that are also names of libraries, beside the words of the language.
_TECHNICAL = frozenset(
    "async await yaml json toml http https html css xml csv uri uuid regex regexp glob env dotenv cors cron"
    " cookies semver prettier debug rollup changelog changeset changesets markdown websocket websockets crypto"
    " mime jwt oauth ssh tls dns sql grpc protobuf unicode stdlib util utils config args argv shell exec fs net"
    " sys log logger logging queue buffer stream streams polyfill polyfills typescript javascript eslint-plugin"
    " types typing parser lexer linter bundler tokenizer serializer validator formatter resolver middleware"
    " plugin loader watcher runner benchmark zip tar gzip base64 md5 sha1 sha256 ip ipaddr tcp udp i18n l10n"
    " a11y color colour colors colours ansi ascii utf8 diff text defer retry retries attrs etag router routers"
    " captcha barcode cli repl ini exp compress inject redact inflection otp ldap".split()
)
_KIND = r"(?:library|libraries|package|packages|module|crate|dependency|gem|bibliothèque|paquet|dépendance)"
_USED = (
    r"(?:use|uses|used|using|utilise|utilisons|utilisez|utilisent|utiliser|prefers?|switch(?:ed)? to|migrated? to"
    r"|moved? to|upgraded? to|replaced? (?:it|them|\w{2,20}) (?:with|by)|instead of|depends? on|built (?:on|with)|via)"
)
_INSTALLED = re.compile(
    r"\b(?:npm|pip|yarn|pnpm|cargo|uv|bun|poetry)\s+(?:install|add|i|remove|update|upgrade)\s$", re.IGNORECASE
)
_IMPORTED = re.compile(r"(?<![\w-])import\s$|\brequire\(['\"]$")
_USE_BEFORE = re.compile(
    rf"(?:^|[.!?:;\n]\s{{0,2}}|\b(?:we|i|on|nous|project|app|code|to|projet)\s(?:\w{{2,12}}\s)?){_USED}\s$",
    re.IGNORECASE,
)
_BUMP_BEFORE = re.compile(r"\b(?:bump|bumps|upgrade|update|downgrade|pin)\s$", re.IGNORECASE)
_BUMP_AFTER = re.compile(r"\s(?:to|from)\s+v?\d")
_AFTER = re.compile(rf"(?:\s{_KIND}\b|@v?\d|\s(?:v\d|\d+\.\d+\.\d))")
_USE_AFTER = re.compile(r"\s(?:for|pour|instead|rather|because|plutôt|over)\b", re.IGNORECASE)
# Words that stand beside "package" or "import" anywhere, so that only a version or an installation says more.
_EVERYWHERE = STOP_WORDS | frozenset("after before only through once now over open next then again still".split())
_NEAR = 60


@frozen
class DeclaredLibraries:
    """The libraries of one project. `words` gives the words of the language, and is asked only if a name occurs."""

    root: str
    words: Callable[[], Collection[str]]

    def find(self, text: str) -> list[Mention]:
        """Returns the mentions of declared libraries, in order."""
        names = _names(self.root, _changed(self.root)) if self.root else {}
        return list(find_declared(text, names, self.words)) if names else []


def find_declared(text: str, names: dict[str, str], words: Callable[[], Collection[str]]) -> Iterator[Mention]:
    """Yields the mentions of these names, which are given in lower case with the way they are written."""
    text = text[:LONGEST]
    for found in _NAME.finditer(text):
        written = found[0].rstrip(".")
        name = names.get(written.lower())
        if name is None:
            continue
        start, end = found.start(), found.start() + len(written)
        if not _is_ordinary(name, words()) or (written == name and _is_called_a_library(text, start, end)):
            yield Mention(name, start, end, "library", _CONFIDENCE)


def _is_ordinary(name: str, words: Collection[str]) -> bool:
    """Is every part of the name a word? `end-of-stream` says what it is; `p-limit` does not."""
    parts = [part for part in re.split(r"[-_./@]+", name.lower()) if part]
    return name[0] != "@" and all(part.isdigit() or _is_word(part, words) for part in parts)


def _is_word(part: str, words: Collection[str]) -> bool:
    singular = part.removesuffix("es") if part.endswith("ses") else part.removesuffix("s")
    return len(part) > 1 and (part in words or singular in words or part in _TECHNICAL)


def _is_called_a_library(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    if before.endswith("`") and after.startswith("`"):
        before, after = before[:-1], after[1:]
    if text[start:end].lower() in _EVERYWHERE:
        return bool(_INSTALLED.search(before) or after.startswith("@"))
    if _INSTALLED.search(before) or _IMPORTED.search(before) or _AFTER.match(after):
        return True
    if _BUMP_BEFORE.search(before) and _BUMP_AFTER.match(after):
        return True
    return bool(_USE_BEFORE.search(before) and (_USE_AFTER.match(after) or not after.strip(" .!,;")))


def _changed(root: str) -> tuple[int, ...]:
    """A value that changes with the manifests in the project's own folder."""
    return tuple(
        _written(os.path.join(root, name)) for name in ("package.json", "pyproject.toml", "Cargo.toml", "go.mod")
    )


def _written(file: str) -> int:
    try:
        return os.stat(file).st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=64)
def _names(root: str, changed: tuple[int, ...]) -> dict[str, str]:
    return {name.lower(): name for name in declared_libraries(manifests(root))}
