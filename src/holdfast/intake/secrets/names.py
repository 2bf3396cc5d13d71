"""Finds secrets by the name before them: `password = …`, `"api_key": "…"`, `--token …`, `mot de passe : …`."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator

from holdfast.intake.secrets.patterns import SecretSpan, compiled
from holdfast.intake.secrets.values import is_code, is_password, is_random, is_stand_in

_FOREIGN_PASSWORDS = (
    "mot de passe|mots de passe|contraseña|contrasena|clave|senha|kennwort|wachtwoord|lösenord|hasło|parola"
    "|пароль|密码|密碼|口令|パスワード|비밀번호"
)
_FOREIGN_KEYS = "clé api|clé d'api|clé d’api|clé secrète|clé d'accès|密钥|秘钥|秘密鍵"
# Parts of names of secrets, in lower case.
STEMS = (
    *("pass", "pwd", "mdp", "secret", "token", "jeton", "key", "cred"),
    *_FOREIGN_PASSWORDS.split("|"),
    *_FOREIGN_KEYS.split("|"),
)
# An unquoted value ends at `;`, at `\` (an escaped line break in JSON) and before the next secret of a query string:
# the search continues there, so it finds all secrets in a row and reads no character twice.
_REST = r"[!#-%(-:=-\[\]-_a-~¡-ɏ]*+"
_NEXT = r"[\w.%\[\]-]{0,40}?(?:pass|pwd|mdp|secret|token|jeton|key|cred)[\w.%\[\]-]{0,20}+=(?![=\s]|$)"
_AFTER_AMPERSAND = rf"(?:&(?!amp;|{_NEXT}){_REST})*+"
_VALUE = (
    r"(?:\\?\"([^\"\n]++)|\\?'([^'\n]++)|`([^`\n]++)"
    rf"|(?![a-z]{{2,12}}://)([!#-&)-:=-Z\]-_a-z|}}~¡-ɏ]{_REST}))"
)
_ASSIGNED = (
    r"([a-z0-9_-]{0,40}+)(?:[\"'`*\])]|\\[\"']){0,4}+"
    # A declared type before the equals sign, an equals sign or colon, a verb, a table's border, an argument, a tag.
    r"([ \t]{0,2}:[ \t]?[&a-z][a-z0-9_.\[\]|&<>? ]{0,30}?=(?![=>])|[ \t\u00a0]{0,4}(?:=>|:=|!=|={1,3}|[:：])"
    r"|[ \t](?:is|was|est|c'est|ist|es|to)(?: now)?:?(?=[ \t])|[ \t]{1,2}(?=[\"'])|[是为]"
    r"|[ \t]{0,4}\|(?=[ \t])|,(?=[ \t]?[\"'])|\((?=[\"'])|>)"
    rf"\*{{0,2}}[ \t\u00a0]{{0,4}}(?:[bfru](?=[\"']))?{_VALUE}"
)
# The lookbehind follows the literal `--`: a pattern that begins with a literal is many times faster.
_FLAG = rf"--(?<![\w-]--)([a-z][a-z0-9_-]{{2,40}}+)([ \t=]{{1,2}}){_VALUE}"

# A shape is more specific than a name: this rank comes after those of all shapes.
_RANK = sys.maxsize


def find_named(text: str, lowered: str, anchors: Collection[str]) -> Iterator[SecretSpan]:
    """Yields the values after names of secrets. `anchors` are those of the text, `lowered` its lower case."""
    stems = [stem for stem in STEMS if stem in anchors]
    for stem in stems:
        at = lowered.find(stem)
        while at >= 0:
            after = at + len(stem)
            match = None if _is_in_placeholder(text, at) else compiled(_ASSIGNED).match(lowered, after)
            if match:
                value = _value(text, lowered, match, at)
                secret = _judged(text, match, at, value)
                if secret:
                    yield secret
                # Continue inside a quotation that is no secret: a quoted sentence may name one. The time stays linear
                # because a quotation ends where the next of its kind can begin.
                after = value.start if value.quoted and not secret else value.end
            at = lowered.find(stem, after)
    if stems and "--" in lowered:
        for match in compiled(_FLAG).finditer(lowered):
            at = match.start(1)
            secret = _judged(text, match, at, _value(text, lowered, match, at))
            if secret and not _is_in_placeholder(text, at):
                yield secret


class _Value:
    """The place of a value in a text, whether it is quoted, and the URL it belongs to, or ""."""

    __slots__ = ("address", "end", "quoted", "start")

    def __init__(self, start: int, end: int, quoted: bool, address: str) -> None:
        self.start, self.end, self.quoted, self.address = start, end, quoted, address


def _value(text: str, lowered: str, match: re.Match[str], at: int) -> _Value:
    """The value that a match found after the name at `at`. A `&` ends it in the query of a URL, not in a password."""
    start, end = match.span(match.lastindex or 0)
    quoted = text[start - 1] in "\"'`"
    address = "" if quoted else _address_before(text, at)
    in_query = "?" in address
    if not quoted and not in_query:
        after = compiled(_AFTER_AMPERSAND).match(lowered, end)
        end = after.end() if after else end
    return _Value(start, start + len(_trimmed(text[start:end], quoted, in_query)), quoted, address)


def _judged(text: str, match: re.Match[str], at: int, found: _Value) -> SecretSpan | None:
    """The span of a value if it and its name look like a secret, else None. `at` is the place of the name's stem."""
    value = text[found.start : found.end]
    if len(value) < 6 or (value.isalpha() and value.islower()) or ("@" in value and found.address):
        return None
    if is_stand_in(value) or is_code(value):
        return None
    kind = _kind_named(_name_before(text, at) + text[at : match.end(1)])
    fits = kind and _fits(kind, value, match[2].strip(), found.quoted)
    return SecretSpan(found.start, found.end, _RANK, kind) if kind and fits else None


def _is_in_placeholder(text: str, at: int) -> bool:
    opened = text.rfind("[secret:", max(0, at - 40), at + 7)
    return opened >= 0 and text.find("]", opened) >= at


def _address_before(text: str, at: int) -> str:
    """The part of a URL before the name, if the name is in one; else empty."""
    word = text[max(0, at - 200) : at].rpartition(" ")[2]
    return word if "://" in word else ""


def _trimmed(value: str, quoted: bool, in_query: bool) -> str:
    """The value without the end of a quotation, sentence, bracket or query part that follows it."""
    if quoted:
        return value.removesuffix("\\")
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


# Words that are ignored at the end of a name (`password_prod`), words before `token` that make it harmless
# (`page_token`), and words before `key` that make it a secret (`api_key`).
_IGNORED_AT_END = frozenset(
    "prod production dev development staging live test old new value default b64 base64 plain base main".split()
)
_BEFORE_NO_TOKEN = frozenset(
    "page next continuation cursor sync start end eos bos pad unk mask cancel cancellation stop design public".split()
)
_BEFORE_KEY = frozenset(
    "api access secret private encryption signing signature auth account master client service shared storage session"
    " licence license deploy admin app application webhook ssh hmac jwt aes root consumer subscription rest functions"
    " host write ingest instrumentation project server maps openai anthropic azure google".split()
)
_PASSWORD_ENDS = ("password", "passwort", "passwd", "passphrase", "passcode", "pwd", "mdp")
_KEY_ENDS = ("apikey", "accesskey", "secretkey", "privatekey", "authkey", "encryptionkey", "signingkey", "accountkey")
_FOREIGN = rf"(?<![a-z])(?:({_FOREIGN_PASSWORDS})|{_FOREIGN_KEYS})$"
_NAME_PARTS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"


def _kind_named(name: str) -> str | None:
    """The kind of secret that a name denotes, or None."""
    foreign = compiled(_FOREIGN).search(name.lower())
    if foreign:
        return "password" if foreign[1] else "key"
    words = [word.lower() for word in compiled(_NAME_PARTS).findall(name)]
    while words and (words[-1] in _IGNORED_AT_END or words[-1].isdigit()):
        words.pop()
    last, before = ([""] * 2 + words)[-1], ([""] * 2 + words)[-2]
    # `PASS: TestLogin2` is the output of a test runner.
    if last.endswith(_PASSWORD_ENDS) or (last == "pass" and name.rpartition(" ")[2].lstrip("-") != "PASS"):
        return "password"
    if last.endswith(("token", "jeton")):
        return "token" if before not in _BEFORE_NO_TOKEN else None
    if last.endswith("secret") or last in ("credential", "credentials", "creds"):
        return "secret"
    return "key" if last.endswith(_KEY_ENDS) or (last == "key" and before in _BEFORE_KEY) else None


def _fits(kind: str, value: str, sign: str, quoted: bool) -> bool:
    plain = sign[-1:] in "=:：>"
    if " " in value:
        return False
    if kind == "password" and (plain or len(value) > 6):
        return is_password(value, quoted=quoted)
    return is_random(value)
