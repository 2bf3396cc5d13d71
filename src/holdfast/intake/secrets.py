"""Takes secrets out of a text before anything is stored, leaving a typed placeholder such as `[secret:jwt]`.

This runs on every message, often in a fresh process: nothing is compiled at import, and a rule's pattern is compiled
only when one of its literal anchors stands in the text. Patterns repeat within bounds or possessively, so the
time is linear in the text, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from holdfast.core.admission import Redaction


def scan(text: str) -> tuple[str, tuple[Redaction, ...]]:
    """The text with each secret replaced by a placeholder, and what was replaced.

    `start` and `length` of a redaction locate the secret in the text that was given. Scanning the result
    again finds nothing: taking one secret out can uncover another beside it, so it is looked at again here.
    """
    spans: list[_Span] = []
    redacted = text
    for _ in range(_PASSES):
        found = _find(redacted)
        if not found:
            break
        spans = _united(spans + [_in_original(span, spans) for span in found])
        redacted = _replaced(text, spans)
    return redacted, _redactions(spans)


def redact(text: str) -> str:
    """The text with each secret replaced by a placeholder."""
    return scan(text)[0]


# Why bounded: a text built for it could uncover one secret per look for ever; real ones need two looks.
_PASSES = 8


class _Span(NamedTuple):
    start: int
    end: int
    rank: int  # the lower, the more specific
    kind: str


def _find(text: str) -> list[_Span]:
    lowered = _lowered(text)
    anchors = _anchors(lowered)
    return _united([*_of_shape(text, anchors), *_of_name(text, lowered, anchors)]) if anchors else []


def _lowered(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    # Why: a few letters (İ) grow when lowered, and positions in both texts must agree.
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def _anchors(lowered: str) -> set[str]:
    """The literal parts of secrets that stand in a text: each where it has to stand to mean anything."""
    found = _anchors_anywhere(lowered)
    coded = lowered.encode("utf-8", "surrogatepass")
    if long_words := _long_words(coded):
        found.update(anchor for anchor in _TOKEN_ANCHORS if anchor in long_words)
    if _may_hold_card(coded):
        found.update(word for word in _CARD_WORDS if word in lowered)
    return found


def _anchors_anywhere(lowered: str) -> set[str]:
    if len(lowered) < _LONG_TEXT:
        anchors = _ASCII_ANCHORS if lowered.isascii() else _TEXT_ANCHORS
        return {anchor for anchor in anchors if anchor in lowered}
    found = {anchor for anchor in _LONE_ANCHORS if anchor in lowered}
    for letter, rests in _LETTERED_ANCHORS:
        if letter in lowered:
            found.update([letter + rest for rest in _compiled(rests).findall(lowered)])
    return found


def _long_words(coded: bytes) -> str:
    """The words in which a token may stand: long enough, of nothing but what a token is made of."""
    # Why translated into what kind of byte each is: a row of one kind is found like any text, far quicker than by a
    # pattern or by taking the text apart.
    kinds = coded.translate(_WORD_KINDS) + b" "
    words: set[bytes] = set()
    start = kinds.find(_LONG_WORD)
    while start >= 0:
        end = kinds.index(b" ", start)
        words.add(coded[start:end])
        start = kinds.find(_LONG_WORD, end)
    return b" ".join(words).decode("ascii")


def _may_hold_card(coded: bytes) -> bool:
    """Do as many digits stand in a row as a card has, or in groups as on a card?"""
    kinds = coded.translate(_DIGIT_KINDS)
    return _CARD_ROW in kinds or _CARD_GROUPS in kinds or _AMEX_GROUPS in kinds


def _kinds(signs: dict[str, str]) -> bytes:
    """A table that translates the letters of each kind into its sign, all other bytes into a space."""
    signed = {ord(letter): ord(sign) for sign, letters in signs.items() for letter in letters}
    return bytes(signed.get(code, ord(" ")) for code in range(256))


# What the patterns of tokens allow, in lower case, and how long the shortest token is.
_WORD_KINDS = _kinds({"a": "abcdefghijklmnopqrstuvwxyz0123456789_-./:+=%~"})
_LONG_WORD = b"a" * 20
_DIGIT_KINDS = _kinds({"0": "0123456789", "-": "- "})
_CARD_ROW, _CARD_GROUPS, _AMEX_GROUPS = b"0" * 15, b"0000-0000-0000", b"000000-00000"


def _of_shape(text: str, anchors: set[str]) -> Iterator[_Span]:
    for rank in {rank for anchor in anchors for rank in _RANKS.get(anchor, ())}:
        kind, _, pattern, judge = _RULES[rank]
        for match in _compiled(pattern).finditer(text):
            start, end = match.span(1 if match.re.groups else 0)
            if judge(text, start, end):
                yield _Span(start, end, rank, kind)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Why ASCII: a Chinese sentence has no spaces, and must not be taken for the rest of a key.
    return re.compile(pattern, re.ASCII)


def _united(found: list[_Span]) -> list[_Span]:
    """Overlapping spans become one that covers them all and bears the most specific kind."""
    united: list[_Span] = []
    for span in sorted(found):
        if united and span.start < united[-1].end:
            last = united.pop()
            best = min(last, span, key=lambda one: (one.rank, one.start - one.end))
            span = _Span(last.start, max(last.end, span.end), best.rank, best.kind)
        united.append(span)
    return united


def _in_original(span: _Span, replaced: list[_Span]) -> _Span:
    start, end = span.start, span.end
    for done in replaced:
        grown = (done.end - done.start) - len(_placeholder(done.kind))
        start += grown if done.start < start else 0
        end += grown if done.start < end else 0
    return span._replace(start=start, end=end)


def _replaced(text: str, spans: list[_Span]) -> str:
    pieces, at = [], 0
    for span in spans:
        pieces += [text[at : span.start], _placeholder(span.kind)]
        at = span.end
    return "".join([*pieces, text[at:]])


def _placeholder(kind: str) -> str:
    return f"[secret:{kind}]"


def _redactions(spans: list[_Span]) -> tuple[Redaction, ...]:
    if not spans:
        return ()
    from holdfast.core.admission import Redaction

    return tuple(Redaction(s.kind, _placeholder(s.kind), s.start, s.end - s.start) for s in spans)


# --- Is it one? Judges are given the text, and where in it the secret starts and ends.

_Judge = Callable[[str, int, int], bool]
_Rule = tuple[str, tuple[str, ...], str, _Judge]


def _is_token(text: str, start: int, end: int) -> bool:
    """Does it stand alone, and is it more than a row of crosses as in documentation?"""
    before = text[max(0, start - 3) : start]
    alone = not (before[-1:].isascii() and before[-1:].isalnum()) or before[-2:] in ("\\n", "\\r", "\\t")
    return (alone or before[:1] == "%") and not _is_crossed_out(text[start:end])


def _is_crossed_out(value: str) -> bool:
    return len(set(value[-12:].lower()) - set("x*.-_0")) < 2 and value[-1:].lower() in "x*.0"


def _is_key_block(text: str, start: int, end: int) -> bool:
    """Does anything stand between the two lines, or is it only talk about such a block?"""
    body = text[start:end].removeprefix("-----BEGIN").partition("-----")[2].partition("-----END")[0]
    chunks = body.replace("\\n", " ").replace("\\r", " ").split()
    return any(len(chunk) >= 16 for chunk in chunks) or (len(chunks) == 1 and sum(map(str.isalnum, body)) >= 6)


def _is_mixed(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    return _is_token(text, start, end) and _has_digit(value) and _has_letter(value)


def _is_url_password(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    return value.lower() not in _NAMES_AS_VALUES and not _is_stand_in(value)


def _is_command_password(text: str, start: int, end: int) -> bool:
    return _is_password(text[start:end])


def _is_card(text: str, start: int, end: int) -> bool:
    digits = [int(c) for c in text[start:end] if c.isdigit()]
    doubled = [d if at % 2 == 0 else d * 2 - 9 * (d > 4) for at, d in enumerate(reversed(digits))]
    if sum(doubled) % 10 or len(set(digits)) < 3:
        return False
    grouped = len(digits) != end - start
    near = text[max(0, start - 60) : start].lower()
    return grouped or any(word in near for word in _CARD_WORDS)


# --- Secrets known by their shape: kind, literal anchors in lower case, pattern, judge; the specific before the
# general. A pattern's first group, where it has one, is the secret; else the whole match is.

_CARD_WORDS = ("card", "visa", "amex", "carte", "cvv", "cvc", "tarjeta", "karte", "carta", "cartão")

_PEM = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]++|-(?!--))*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    # Of a block cut short: every line that still looks like a key.
    r"|(?:(?:[\s\"'+>|,]|\\[nr])*+(?:(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{0,200}|MI[A-Za-z0-9+/=]{2,}+"
    r"|[A-Za-z0-9+/=]{16,}+))++)"
)
_PEM_END = (
    r"(?m)^(?:[A-Za-z0-9+/]{60,80}\r?\n){1,64}+(?:[A-Za-z0-9+/=]{1,80}\r?\n)?"
    r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
)
_JWT = (
    # Why its start is looked at here: else a long run of such starts would be read again from each of them.
    r"eyJ(?:(?<![\w-]eyJ)|(?<=\\[nrt]eyJ)|(?<=%[0-9A-F][0-9A-F]eyJ))[\w-]{8,}+"
    r"\.(?:eyJ[\w-]{8,}+|[\w-]*+\.[\w-]{8,}+\.[\w-]{8,}+)\.[\w-]*"
)
_CARD = (
    r"(?<![\d.,/_-])((?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|65\d\d)([ -]?)\d{4}(?:\2\d{4}){2}"
    r"|3[47]\d\d([ -]?)\d{6}\3\d{5})(?![\d-]|\.\d)"
)

# A token of one word: its anchors are looked for in the text's long words only, and `_WORD_KINDS` holds its letters.
_TOKENS: tuple[_Rule, ...] = (
    ("private-key", ("age-secret-key-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{50,}", _is_token),
    ("anthropic-key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{20,}", _is_token),
    ("openrouter-key", ("sk-or-",), r"sk-or-v1-[A-Za-z0-9]{32,}", _is_token),
    (
        "openai-key",
        ("sk-proj-", "sk-svcacct-", "sk-admin-"),
        r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}",
        _is_token,
    ),
    ("openai-key", ("sk-",), r"sk-[A-Za-z0-9]{20,}(?![A-Za-z0-9-])", _is_token),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9_]{30,}", _is_token),
    ("github-token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{22,}", _is_token),
    (
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-"),
        r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]{2,})*+",
        _is_token,
    ),
    ("aws-access-key-id", ("akia", "asia", "abia", "acca"), r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])", _is_token),
    ("google-key", ("aiza",), r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])", _is_token),
    ("google-oauth", ("gocspx-",), r"GOCSPX-[A-Za-z0-9_-]{20,}", _is_token),
    ("google-oauth", ("ya29.",), r"ya29\.[A-Za-z0-9_-]{20,}", _is_token),
    ("google-oauth", ("1//0",), r"1//0[A-Za-z0-9_-]{40,}", _is_token),
    ("azure-key", ("accountkey=",), r"(?i:AccountKey)=([A-Za-z0-9+/]{40,}={0,2})", _is_token),
    ("azure-key", ("sharedaccesskey=",), r"(?i:SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})", _is_token),
    ("azure-sas", ("sig=",), r"(?<=[?&;\"'])sig=([A-Za-z0-9%+/]{40,}={0,2})", _is_token),
    ("azure-secret", ("q~",), r"[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])", _is_token),
    ("slack-token", ("xox",), r"xox(?:[abeoprs]|e\.xox[bp])-[A-Za-z0-9-]{15,}", _is_mixed),
    ("slack-token", ("xapp-",), r"xapp-\d-[A-Z0-9]{6,}-\d{6,}-[a-f0-9]{20,}", _is_token),
    (
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{20,})",
        _is_token,
    ),
    ("discord-webhook", ("/api/webhooks/",), r"discord(?:app)?\.com/api/webhooks/\d{10,}/([\w-]{30,})", _is_token),
    (
        "stripe-key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_"),
        r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
        _is_token,
    ),
    ("stripe-key", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,}={0,2}", _is_token),
    ("twilio-key", tuple(f"sk{digit}" for digit in "0123456789abcdef"), r"SK[0-9a-f]{32}(?![A-Za-z0-9])", _is_token),
    ("sendgrid-key", ("sg.",), r"SG\.[\w-]{16,32}\.[\w-]{16,64}", _is_mixed),
    ("mailgun-key", ("key-",), r"key-[0-9a-f]{32}(?![A-Za-z0-9])", _is_token),
    (
        "mailchimp-key",
        tuple(f"-us{digit}" for digit in "123456789"),
        r"(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])",
        _is_token,
    ),
    ("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])", _is_token),
    ("pypi-token", ("pypi-a",), r"pypi-A[\w-]{40,}", _is_token),
    ("huggingface-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,40}(?![A-Za-z0-9])", _is_token),
    ("digitalocean-token", ("_v1_",), r"do[opr]_v1_[a-f0-9]{64}", _is_token),
    ("telegram-token", (":aa",), r"(?<!\d)\d{8,10}:AA[\w-]{32,34}(?![\w-])", _is_token),
    ("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}", _is_token),
    ("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{60,}", _is_token),
    ("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,}", _is_token),
    ("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])", _is_token),
    ("databricks-token", ("dapi",), r"dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])", _is_token),
    ("atlassian-token", ("atatt3", "atctt3", "atbb"), r"AT(?:[AC]TT3[\w=-]{60,}|BB[A-Za-z0-9]{32})", _is_token),
    ("vault-token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[\w-]{24,}", _is_token),
    ("docker-token", ("dckr_",), r"dckr_(?:pat|oat)_[\w-]{20,}", _is_token),
    ("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", _is_token),
    ("square-token", ("sq0",), r"sq0(?:atp|csp|idp)-[\w-]{22,}", _is_token),
    ("linear-key", ("lin_api_",), r"lin_api_[A-Za-z0-9]{32,}", _is_token),
    ("notion-token", ("ntn_",), r"ntn_[A-Za-z0-9]{40,}", _is_token),
    ("figma-token", ("figd_",), r"figd_[\w-]{30,}", _is_token),
    ("grafana-token", ("glsa_", "glc_ey"), r"gl(?:sa_[A-Za-z0-9]{32}_[a-f0-9]{8}|c_ey[\w+/]{32,}={0,2})", _is_token),
    ("sentry-token", ("sntry",), r"sntry[su]_[A-Za-z0-9_+/=-]{40,}", _is_token),
    ("supabase-key", ("sbp_", "sb_secret_"), r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})", _is_token),
    ("planetscale-token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}", _is_token),
    ("doppler-token", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.]{40,}", _is_token),
    ("terraform-token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}", _is_token),
    ("postman-key", ("pmak-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", _is_token),
    ("newrelic-key", ("nrak-",), r"NRAK-[A-Z0-9]{27}", _is_token),
    ("langsmith-key", ("lsv2_",), r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}", _is_token),
    ("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", _is_token),
    ("fly-token", ("fm1", "fm2_"), r"fm(?:1[ar]|2)_[\w+/=-]{60,}", _is_token),
    ("jwt", ("eyj",), _JWT, _is_token),
)

# A secret that needs its surroundings to be told.
_IN_CONTEXT: tuple[_Rule, ...] = (
    ("private-key", ("private key-----", "private key block-----"), _PEM, _is_key_block),
    ("private-key", ("private key-----",), _PEM_END, _is_token),
    ("private-key", ("private-lines:",), r"Private-Lines: \d+\s{1,4}((?:[A-Za-z0-9+/=]{8,}+\s?)++)", _is_token),
    (
        "aws-secret-key",
        ("secret",),
        r"(?i:secret[ _-]?(?:access[ _-]?)?key)[^\n:=]{0,16}(?:=>|[:=])"
        r"[\s\\\"'`]{0,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _is_mixed,
    ),
    (
        "aws-secret-key",
        ("akia", "asia"),
        r"A[KS]IA[A-Z0-9]{16}[\s,;:|\"']{1,5}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _is_mixed,
    ),
    ("discord-token", ("discord", "bot ", "token"), r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])", _is_mixed),
    ("bearer-token", ("bearer",), r"(?i:bearer)[ \t]{1,2}([A-Za-z0-9._~+/-]{16,}={0,2})(?![A-Za-z0-9(])", _is_mixed),
    (
        "basic-auth",
        ("authorization",),
        r"(?i:authorization)[\\\"'`]{0,2}\s{0,2}[:=]\s{0,2}[\\\"'`]{0,2}(?i:basic) {1,2}([A-Za-z0-9+/]{8,}={0,2})",
        _is_token,
    ),
    (
        "url-password",
        ("://",),
        r"://(?:[^\s:/@?#\"'`<>\\]{0,100}):([^\s/\"'`<>\\?#]{1,300})@(?=[\w.\[$%{-])",
        _is_url_password,
    ),
    (
        "password",
        ("mysql", "mariadb"),
        r"(?:mysql|mariadb)[^\n|;]{0,120} -p([^\s\"'$<-]\S{4,80})",
        _is_command_password,
    ),
    (
        "password",
        ("sshpass",),
        r"sshpass -p ?[\"']?([^\s\"'$<-][^\s\"']{4,80})",
        _is_command_password,
    ),
    ("password", ("identified by",), r"(?i:identified by) [\"']([^\s\"']{5,120})", _is_command_password),
    ("password", ("login",), r"login \S{1,80}\s{1,4}password (\S{5,120})", _is_command_password),
    ("password", ("redis-cli",), r"redis-cli [^\n|;]{0,120}-a (\S{6,120})", _is_command_password),
    (
        "password",
        ("curl",),
        r"curl [^\n|;]{0,120}(?:-u|--user)[ =]?[\"']?[\w.@+-]{1,80}:([^\s\"':$<]{5,120})",
        _is_command_password,
    ),
    ("card-number", _CARD_WORDS, _CARD, _is_card),
)

_RULES = _TOKENS + _IN_CONTEXT
_RANKS: dict[str, list[int]] = {}
for _rank, _rule in enumerate(_RULES):
    for _anchor in _rule[1]:
        _RANKS.setdefault(_anchor, []).append(_rank)
_TOKEN_ANCHORS = tuple(dict.fromkeys(anchor for rule in _TOKENS for anchor in rule[1]))


# --- Secrets known by the name they are given: `password = …`, `"api_key": "…"`, `--token …`, `mot de passe : …`.

_FOREIGN_PASSWORDS = (
    "mot de passe|mots de passe|contraseña|contrasena|clave|senha|kennwort|wachtwoord|lösenord|hasło|parola"
    "|пароль|密码|密碼|口令|パスワード|비밀번호"
)
_FOREIGN_KEYS = "clé api|clé d'api|clé d’api|clé secrète|clé d'accès|密钥|秘钥|秘密鍵"
_FOREIGN = rf"(?<![a-z])(?:({_FOREIGN_PASSWORDS})|{_FOREIGN_KEYS})$"
_STEMS = (
    *("pass", "pwd", "mdp", "secret", "token", "jeton", "key", "cred"),
    *_FOREIGN_PASSWORDS.split("|"),
    *_FOREIGN_KEYS.split("|"),
)
_VALUE = (
    r"(?:\\?\"([^\"\n]++)|\\?'([^'\n]++)|`([^`\n]++)"
    r"|(?![a-z]{2,12}://)([!#-&)-;=-Z\\-_a-z|}~¡-ɏ][!#-&(-;=-_a-~¡-ɏ]*+))"
)
_ASSIGNED = (
    r"([a-z0-9_-]{0,40}+)(?:[\"'`*\])]|\\[\"']){0,4}+"
    # A declared type before the equals sign, an equals sign or colon, a verb, a table's rule, an argument, a tag.
    r"([ \t]{0,2}:[ \t]?[&a-z][a-z0-9_.\[\]|&<>? ]{0,30}?=(?![=>])|[ \t\u00a0]{0,4}(?:=>|:=|!=|={1,3}|[:：])"
    r"|[ \t](?:is|was|est|c'est|ist|es|to)(?: now)?:?(?=[ \t])|[ \t]{1,2}(?=[\"'])|[是为]"
    r"|[ \t]{0,4}\|(?=[ \t])|,(?=[ \t]?[\"'])|\((?=[\"'])|>)"
    rf"\*{{0,2}}[ \t\u00a0]{{0,4}}(?:[bfru](?=[\"']))?{_VALUE}"
)
# Why what stands before is looked at afterwards: a pattern that begins with a literal is found many times as quick.
_FLAG = rf"--(?<![\w-]--)([a-z][a-z0-9_-]{{2,40}}+)([ \t=]{{1,2}}){_VALUE}"


# Anchors that may stand anywhere in a text.
_TEXT_ANCHORS = tuple(sorted({*_STEMS, *_RANKS} - {*_TOKEN_ANCHORS, *_CARD_WORDS}))
_ASCII_ANCHORS = tuple(filter(str.isascii, _TEXT_ANCHORS))

# Why a long text is looked through by letter: a pattern that begins with one passes over all others at once, and finds
# several anchors as quick as a search finds one. None of them begins another, or that one would not be seen. One that
# is alone with its letter is searched for, unless few texts have the letter. In a short text a pattern costs more than
# it saves.
_LONG_TEXT = 4_000
_LETTERS = {letter: tuple(anchors) for letter, anchors in groupby(_TEXT_ANCHORS, key=itemgetter(0))}
_LONE_ANCHORS = tuple(anchors[0] for letter, anchors in _LETTERS.items() if len(anchors) == 1 and letter.isascii())
_LETTERED_ANCHORS = tuple(
    (letter, rf"{letter}(?=({'|'.join(re.escape(anchor[1:]) for anchor in anchors)}))")
    for letter, anchors in _LETTERS.items()
    if anchors[0] not in _LONE_ANCHORS
)


def _of_name(text: str, lowered: str, anchors: set[str]) -> Iterator[_Span]:
    stems = [stem for stem in _STEMS if stem in anchors]
    for stem in stems:
        at = lowered.find(stem)
        while at >= 0:
            match = _compiled(_ASSIGNED).match(lowered, at + len(stem))
            if match:
                yield from _judged(text, match, at)
            at = lowered.find(stem, match.end() if match else at + len(stem))
    if stems and "--" in lowered:
        for match in _compiled(_FLAG).finditer(lowered):
            yield from _judged(text, match, match.start(1))


def _judged(text: str, match: re.Match[str], at: int) -> Iterator[_Span]:
    """The span of the value, if the value and the name, whose telling part is `at`, are those of a secret."""
    if _is_in_placeholder(text, at):
        return
    start, end = match.span(match.lastindex or 0)
    quoted = text[start - 1] in "\"'`"
    address = "" if quoted else _address_before(text, at)
    value = _trimmed(text[start:end], quoted, in_query="?" in address)
    if len(value) < 6 or (value.isalpha() and value.islower()) or ("@" in value and address):
        return
    if _is_stand_in(value) or _is_code(value):
        return
    kind = _kind_named(_name_before(text, at) + text[at : match.end(1)])
    if kind and _fits(kind, value, match[2].strip(), quoted):
        yield _Span(start, start + len(value), len(_RULES), kind)


def _address_before(text: str, at: int) -> str:
    """The address in which the name stands, as far as the name, if it stands in one."""
    word = text[max(0, at - 200) : at].rpartition(" ")[2]
    return word if "://" in word else ""


def _trimmed(value: str, quoted: bool, in_query: bool) -> str:
    """The value without what follows it: the end of a quotation, of a sentence, of a bracket, of a query's part."""
    if quoted:
        return value.removesuffix("\\")
    for mark in ("\\", ";", "&" if in_query else "&amp;"):
        value = value.partition(mark)[0]
    return value.rstrip(",;.:)]}*|>")


def _name_before(text: str, at: int) -> str:
    """The part of the name that stands before the word that gave it away, a separate word included for keys."""
    start = at
    while start > max(0, at - 40) and (text[start - 1].isalnum() or text[start - 1] in "_-. "):
        start -= 1
    before = text[start:at]
    joined = before.rpartition(" ")
    return joined[2] or joined[0].rpartition(" ")[2] + joined[1]


def _is_in_placeholder(text: str, at: int) -> bool:
    opened = text.rfind("[secret:", max(0, at - 40), at + 7)
    return opened >= 0 and text.find("]", opened) >= at


# What a name may end with although it is that of a secret, and what then tells it is not: `token_count`, `page_token`.
_WHICH = frozenset(
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
_NAME_PARTS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"


def _kind_named(name: str) -> str | None:
    """The kind of secret that a name announces, if it announces one."""
    foreign = _compiled(_FOREIGN).search(name.lower())
    if foreign:
        return "password" if foreign[1] else "key"
    words = [word.lower() for word in _compiled(_NAME_PARTS).findall(name)]
    while words and (words[-1] in _WHICH or words[-1].isdigit()):
        words.pop()
    last, before = ([""] * 2 + words)[-1], ([""] * 2 + words)[-2]
    # Why: `PASS: TestLogin2` is a test runner's.
    if last.endswith(_PASSWORD_ENDS) or (last == "pass" and name.rpartition(" ")[2].lstrip("-") != "PASS"):
        return "password"
    if last.endswith(("token", "jeton")):
        return "token" if before not in _BEFORE_NO_TOKEN else None
    if last.endswith("secret") or last in ("credential", "credentials", "creds"):
        return "secret"
    return "key" if last.endswith(_KEY_ENDS) or (last == "key" and before in _BEFORE_KEY) else None


# --- What a value must look like.

_NAMES_AS_VALUES = frozenset("password passwd pass pwd secret token key user username port mdp motdepasse".split())
_STAND_IN = (
    r"^[$@&%][a-z_]\w*%?$|^\$[{(]|^[<{(]|\$\{|\{\{|\*{3}|x{4}|^x+$|\.\.\.|\[secret:|your|example|change.?me|placeholder"
    r"|redact|dummy|fake|sample|insert|replace|todo|undefined|environ|getenv|process\.env|^env[.\[]|secrets?[.\[]"
    r"|^(?:null|none|nil|true|false)\b|…"
)
_CODE = (
    r"^[a-z_][\w.]*[(\[{]|::|->|=>|&&|\|\||^[a-z_]\w*(?:\??\.[a-z_]\w*)+!?$|^\.{0,2}/|^~/|^[a-z]:\\|^--|^[\w.+-]+@[\w-]+\.[\w.]+$"
    r"|^[\w.-]+(?:/[\w.-]+)+\.[a-z]{1,5}$|^v?\d+(?:[.:/,x-]\d+)+$|^\d+(?:ms|s|m|h|d|px|[kmg]i?b|min|chars?|characters|k|%|\+)$"
    r"|^\d{4}-\d\d-\d\d|^(?:o?auth2?|sha-?\d+|md5|base64|utf-?8|aes-?\d+|[hre]s\d{3}|ed25519|argon2i?d?|pbkdf2|http2|x509"
    r"|1password|ipv[46]|p256|secp256\w+|hmac-?sha\d+)$"
)


# A variable as people name and number them: `password2`, but not `password123`.
_VARIABLE = r"(?:pass|pwd|secret|token|key|user|param)(?!.*\d{3}$)"


def _is_stand_in(value: str) -> bool:
    """Is it a placeholder, a variable, or a word in the place of a value?"""
    return _compiled(_STAND_IN).search(value.lower()) is not None


def _is_code(value: str) -> bool:
    """Is it an expression, a path, an address, a measure, a date or the name of a technique?"""
    return _compiled(_CODE).search(value.lower()) is not None


def _fits(kind: str, value: str, sign: str, quoted: bool) -> bool:
    plain = sign[-1:] in "=:：>"
    if " " in value:
        return False
    if kind == "password" and (plain or len(value) > 6):
        return _is_password(value, quoted=quoted)
    return _is_random(value)


def _is_password(value: str, *, quoted: bool = False) -> bool:
    """Could a person have chosen it as a password? Words and names of variables are not."""
    core = value.strip("!?.,;:-*")
    if core.isdigit():
        return len(core) >= 6
    if _has_digit(core) and _has_letter(core):
        return quoted or not (core.isidentifier() and _compiled(_VARIABLE).search(core.lower()))
    return _compiled(r"[A-Za-z][@#$%^&!~*+]+[A-Za-z]").search(core) is not None or _is_shuffled(core)


def _is_random(value: str) -> bool:
    """Does it look as if a machine had drawn it?"""
    if len(value) < 16:
        return (
            len(value) >= 8
            and _has_digit(value)
            and (_is_shuffled(value) or (not value.isalnum() and not _is_wordy(value)))
        )
    if not (_has_digit(value) and _has_letter(value)):
        return _is_shuffled(value)
    return not _is_wordy(value, 0.85 if len(_compiled(r"\d+").findall(value)) >= 3 else 0.6)


def _is_shuffled(value: str) -> bool:
    """Do capitals and small letters alternate as no name does?"""
    return len(_compiled(r"[a-z][A-Z]").findall(value)) >= 3 and not _is_wordy(value)


def _is_wordy(value: str, share: float = 0.6) -> bool:
    """Is so much of it made of words?"""
    words = _compiled(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}").findall(value)
    return sum(map(len, words)) >= share * len(value)


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def _has_letter(value: str) -> bool:
    return any(map(str.isalpha, value))
