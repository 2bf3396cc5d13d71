"""Finds secrets by their name beside them: `password = …`, `"api_key": "…"`, `--token …`, `das Passwort lautet …`."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator

from holdfast.intake.secrets.secret_names import RESTS, STEMS, kind_named
from holdfast.intake.secrets.secret_patterns import SecretSpan, compiled
from holdfast.intake.secrets.secret_values import (
    is_clear_password,
    is_code,
    is_passphrase,
    is_password,
    is_random,
    is_stand_in,
)

# An unquoted value ends at `;`, at `\` (an escaped line break in JSON) and before the next secret of a query string:
# the search continues there, so it finds all secrets in a row and reads no character twice.
_REST = r"[!#-%(-:=-\[\]-_a-~¡-ɏ]*+"
_NEXT = r"[\w.%\[\]-]{0,40}?(?:pass|pw|mdp|secret|token|jeton|key|cred|auth)[\w.%\[\]-]{0,20}+=(?![=\s]|$)"
_AFTER_AMPERSAND = rf"(?:&(?!amp;|{_NEXT}){_REST})*"
_VALUE = (
    r"(?:\\?\"([^\"\n]++)|\\?'([^'\n]++)|`([^`\n]++)|[«„“][ \u00a0]?([^«»„“”\n]{1,200}+)"
    rf"|(?![a-z]{{2,12}}://)([!#-&)-:=-Z\]-_a-z|}}~¡-ɏ]{_REST}))"
)
_NAME_END = rf"((?:{RESTS})?[a-z0-9_-]{{0,40}}+)(?:[\"'`*\])]|\\[\"']){{0,4}}"
# A declared type before the equals sign, an equals sign or colon, a value attribute, a quotation, a table's border, an
# argument, a tag.
_SIGNED = (
    rf"{_NAME_END}([ \t]{{0,2}}:[ \t]?[&a-z][a-z0-9_.\[\]|&<>? ]{{0,30}}?(?:[ \t]=(?![=>])|=(?=[ \t]?[\"'`]))"
    r"|[ \t\u00a0]{0,4}(?:[=-]>|:=|!=|={1,3}|[:：＝→])(?:\*{0,2}\n[ \t]{0,16}(?=[^\s:]{6,80}[ \t]{0,4}(?:\n|$)))?"
    r"|[,;]?\s{1,20}[\"']?(?:value|val|default)[\"']?[ \t]{0,2}[:=]"
    r"|[ \t]{1,2}(?=[\"'])|[是为]|[ \t]{0,4}\|(?=[ \t])|,(?=[ \t]?[\"'])|\((?=[\"'])|>)"
    rf"\*{{0,2}}[ \t\u00a0]{{0,4}}(?:\([ \t]?(?=[\"'])|!!\w{{1,10}}[ \t])?(?:[bfru](?=[\"']))?{_VALUE}"
)
_BESIDE = rf"{_NAME_END}([ \t]{{1,2}}(?![-|=:])|,[ \t](?![-|=:\"'`])){_VALUE}"
_VERB = (
    r"(?:is|was|are|will be|equals|ist|war|lautet|lauten|hei(?:ß|ss)t|wird|sind|est|était|sera|vaut|c['’]est|devient"
    r"|es)(?:[ \t](?:now|set|changed|reset|updated|jetzt|nun|maintenant))?(?:[ \t]to)?|to|auf|en|à"
)
_WORD = r"\(?[\w'’/àâäéèêëîïôöùûüçß-]{1,24}\)?"
_SAID = rf"{_NAME_END}((?:,?[ \t]{_WORD}){{0,7}}?(?:,?[ \t](?:{_VERB}):?|[ \t\u00a0]{{0,2}}[:=])[ \t]{{1,2}}){_VALUE}"
# The lookbehind follows the literal `--`: a pattern that begins with a literal is many times faster.
_FLAG = rf"--(?<![\w-]--)([a-z][a-z0-9_-]{{2,40}}+)([ \t=]{{1,2}}){_VALUE}"
# The value before the name: `… is the password`, `… als Passwort`.
_BEFORE = (
    r"(?:^|\s)[\"'`«„“]?([^\s\"'`«»„“”]{6,80})[\"'`»”]?[ \t]"
    r"(?:(?:is|was|ist|war|est)[ \t](?:the|our|my|your|its|das|der|dein|mein|unser|le|la|mon|ma|notre|ton|votre)"
    r"|as[ \t](?:the|a|your|my)|as|als|comme)[ \t](?:[\w'’-]{1,20}[ \t-]){0,3}$"
)
_ONE_WORD = r"[\w-]{1,40}"
# A shape is more specific than a name: this rank comes after those of all shapes.
RANK = sys.maxsize


def find_assigned(text: str, lowered: str, anchors: Collection[str]) -> Iterator[SecretSpan]:
    """Yields the values beside names of secrets. `anchors` are those of the text, `lowered` its lower case."""
    stems = [stem for stem in STEMS if stem in anchors]
    for stem in stems:
        at = lowered.find(stem)
        while at >= 0:
            after = at + len(stem)
            if not _is_in_placeholder(text, at):
                yield from _before(text, lowered, at, after)
                for pattern in (_SIGNED, _BESIDE, _SAID):
                    match = compiled(pattern).match(lowered, after)
                    if match:
                        value = _value(text, lowered, match, at)
                        secret = _judged(text, match, at, value)
                        if secret:
                            yield secret
                        after = _continue_at(lowered, match, value, secret, after)
                        if secret or pattern is _SIGNED:
                            break
            at = lowered.find(stem, after)
    if stems and "--" in lowered:
        for match in compiled(_FLAG).finditer(lowered):
            at = match.start(1)
            secret = _judged(text, match, at, _value(text, lowered, match, at), "=")
            if secret and not _is_in_placeholder(text, at):
                yield secret


def _continue_at(lowered: str, match: re.Match[str], value: _Value, secret: SecretSpan | None, after: int) -> int:
    """Where to search for the next name: behind a secret, and behind an assigned value, else behind this name.

    A quoted sentence may name another secret, and a value of one word may be a name: `Password: password: …`. The time
    stays linear: a sentence, a quotation and a word are read once more at most, since a quotation ends where the next
    of its kind can begin.
    """
    if secret:
        return value.end
    if not _is_sign(match[2]) or value.quoted:
        return after
    return value.start if compiled(_ONE_WORD).fullmatch(lowered, value.start, value.end) else value.end


class _Value:
    """The place of a value in a text, whether it is quoted, and the URL it belongs to, or ""."""

    __slots__ = ("address", "end", "quoted", "start")

    def __init__(self, start: int, end: int, quoted: bool, address: str) -> None:
        self.start, self.end, self.quoted, self.address = start, end, quoted, address


def _value(text: str, lowered: str, match: re.Match[str], at: int) -> _Value:
    """The value that a match found after the name at `at`. A `&` ends it in the query of a URL, not in a password."""
    start, end = match.span(match.lastindex or 0)
    quoted = text[start - 1] in "\"'`«„“\u00a0" or text[start - 2 : start] in ("« ", "„ ")
    address = "" if quoted else _address_before(text, at)
    in_query = "?" in address
    if not quoted and not in_query:
        after = compiled(_AFTER_AMPERSAND).match(lowered, end)
        end = after.end() if after else end
    return _Value(start, start + len(_trimmed(text[start:end], quoted, in_query)), quoted, address)


def _judged(text: str, match: re.Match[str], at: int, found: _Value, sign: str = "") -> SecretSpan | None:
    """The span of a value if it and its name look like a secret, else None. `at` is the place of the name's stem."""
    sign = sign or match[2]
    value = text[found.start : found.end]
    name = _name_before(text, at) + text[at : match.end(1)]
    kind = kind_named(name) or _query_key(name, found, value)
    if kind is None or ("@" in value and found.address):
        return None
    if kind == "password" and "phrase" in name.lower() and sign.strip():
        phrase = _phrase(text, found)
        if phrase:
            return SecretSpan(found.start, phrase, RANK, kind)
    if len(value) < 6 or is_stand_in(value) or is_code(value):
        return None
    return SecretSpan(found.start, found.end, RANK, kind) if _fits(kind, name, value, sign, found) else None


def _query_key(name: str, found: _Value, value: str) -> str | None:
    """A parameter `key` in the query of a URL is a secret if it is long and random."""
    is_key = "?" in found.address and name.lower().endswith("key") and len(value) >= 24
    return "key" if is_key and any(map(str.isupper, value)) else None


def _phrase(text: str, found: _Value) -> int | None:
    """The end of a passphrase of several words that begins at the value, or None."""
    line = compiled(r"[^\n.;,\"]{0,200}").match(text, found.start)
    phrase = text[found.start : found.end] if found.quoted or line is None else line[0].rstrip()
    return found.start + len(phrase) if is_passphrase(phrase) else None


def _fits(kind: str, name: str, value: str, sign: str, found: _Value) -> bool:
    if value.isalpha() and value.islower() and (kind != "password" or not is_password(value)):
        return False
    if " " in value:
        return found.quoted and kind == "password" and _is_sign(sign) and is_passphrase(value)
    beside = not sign.strip(" \t,") and not found.quoted
    # "Pass `verbosity=1`": a verb and an argument.
    if (beside and compiled(r"[A-Za-z_][a-z_.-]*=").match(value)) or (not sign.strip() and name.lower() == "pass"):
        return False
    if kind != "password":
        return is_random(value) and (not beside or len(value) >= 16)
    if name.isupper() or not (beside or " " in sign.strip()):
        return is_password(value, quoted=found.quoted)
    return is_clear_password(value)


def _is_sign(sign: str) -> bool:
    return sign.strip(" \t\n*\u00a0")[-1:] in ("=", ":", "：", "＝", ">", "|")


def _before(text: str, lowered: str, at: int, after: int) -> Iterator[SecretSpan]:
    """Yields a password that is written before its name."""
    line = text[max(0, at - 160) : at].rpartition("\n")[2]
    match = compiled(_BEFORE).search(line)
    if match is None:
        return
    end = compiled(r"[\w-]*").match(lowered, after)
    kind = kind_named(_name_before(text, at) + text[at : end.end() if end else after])
    value = match[1].rstrip(",;.:)")
    fits = is_clear_password(value) if kind == "password" else is_random(value)
    if kind and fits and not is_stand_in(value) and not is_code(value):
        start = at - len(line) + match.start(1)
        yield SecretSpan(start, start + len(value), RANK, kind)


def _is_in_placeholder(text: str, at: int) -> bool:
    opened = text.rfind("[secret:", max(0, at - 40), at + 7)
    return opened >= 0 and text.find("]", opened, opened + 80) >= at


def _address_before(text: str, at: int) -> str:
    """The part of a URL before the name, if the name is in one; else empty."""
    word = text[max(0, at - 200) : at].rpartition(" ")[2]
    return word if "://" in word else ""


def _trimmed(value: str, quoted: bool, in_query: bool) -> str:
    """The value without the end of a quotation, sentence, bracket or query part that follows it."""
    if quoted:
        return value.removesuffix("\\").rstrip(" \u00a0")
    return value.partition("&" if in_query else "&amp;")[0].rstrip(",;.:)]}*|>")


def _name_before(text: str, at: int) -> str:
    """The part of the name before its stem; for keys including a separate word."""
    start = at
    while start > max(0, at - 40) and (text[start - 1].isalnum() or text[start - 1] in "_-. "):
        start -= 1
    if text[start - 1 : start] == "\\" and text[start : start + 1] in ("n", "r", "t"):
        start = min(start + 1, at)  # In JSON this is an escaped line break, not part of the name.
    before = text[start:at]
    joined = before.rpartition(" ")
    return joined[2] or joined[0].rpartition(" ")[2] + joined[1]
