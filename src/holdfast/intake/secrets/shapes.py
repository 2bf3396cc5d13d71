"""Finds secrets by their shape: a table of rules, each with a check that rules out look-alikes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from holdfast.intake.secrets.patterns import SecretSpan, compiled
from holdfast.intake.secrets.values import is_crossed_out, is_mixed, is_name, is_password, is_stand_in

if TYPE_CHECKING:
    _Check = Callable[[str, int, int], bool]
    _Rule = tuple[str, tuple[str, ...], str, _Check]


def find_shaped(text: str, anchors: Collection[str]) -> Iterator[SecretSpan]:
    """Yields the secrets of a text with a known shape. `anchors` are those found in the text."""
    for rank in {rank for anchor in anchors for rank in _RANKS.get(anchor, ())}:
        kind, _, pattern, check = _RULES[rank]
        for match in compiled(pattern).finditer(text):
            start, end = match.span(1 if match.re.groups else 0)
            if check(text, start, end):
                yield SecretSpan(start, end, rank, kind)


# A check gets the text and the start and end of the secret.


def _is_token(text: str, start: int, end: int) -> bool:
    """Is it a word of its own, and not crossed out as in documentation?"""
    before = text[max(0, start - 3) : start]
    alone = not (before[-1:].isascii() and before[-1:].isalnum()) or before[-2:] in ("\\n", "\\r", "\\t")
    return (alone or before[:1] == "%") and not is_crossed_out(text[start:end])


def _is_mixed_token(text: str, start: int, end: int) -> bool:
    return _is_token(text, start, end) and is_mixed(text[start:end])


def _is_key_block(text: str, start: int, end: int) -> bool:
    """Is there key material between the two lines? If not, the text only mentions such a block."""
    body = text[start:end].removeprefix("-----BEGIN").partition("-----")[2].partition("-----END")[0]
    lines = body.replace("\\n", " ").replace("\\r", " ").split()
    return any(len(line) >= 16 for line in lines) or (len(lines) == 1 and sum(map(str.isalnum, body)) >= 6)


def _is_url_password(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    return not is_name(value) and not is_stand_in(value)


def _is_command_password(text: str, start: int, end: int) -> bool:
    return is_password(text[start:end])


def _is_card(text: str, start: int, end: int) -> bool:
    digits = [int(c) for c in text[start:end] if c.isdigit()]
    doubled = [d if at % 2 == 0 else d * 2 - 9 * (d > 4) for at, d in enumerate(reversed(digits))]
    if sum(doubled) % 10 or len(set(digits)) < 3:
        return False
    grouped = len(digits) != end - start
    near = text[max(0, start - 60) : start].lower()
    return grouped or any(word in near for word in CARD_WORDS)


# Rules: kind, literal anchors in lower case, pattern, check; specific rules before general ones. The secret is the
# first group of the pattern, or the whole match if it has no group.

CARD_WORDS = ("card", "visa", "amex", "carte", "cvv", "cvc", "tarjeta", "karte", "carta", "cartão")

_PEM = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]++|-(?!--))*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    # A truncated block: every line that still looks like a key.
    r"|(?:(?:[\s\"'+>|,]|\\[nr])*+(?:(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{0,200}|MI[A-Za-z0-9+/=]{2,}+"
    r"|[A-Za-z0-9+/=]{16,}+))++)"
)
_PEM_END = (
    r"(?m)^(?:[A-Za-z0-9+/]{60,80}\r?\n){1,64}+(?:[A-Za-z0-9+/=]{1,80}\r?\n)?"
    r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
)
_JWT = (
    # The start is checked here; otherwise a long run of such starts would be read again from each of them.
    r"eyJ(?:(?<![\w-]eyJ)|(?<=\\[nrt]eyJ)|(?<=%[0-9A-F][0-9A-F]eyJ))[\w-]{8,}+"
    r"\.(?:eyJ[\w-]{8,}+|[\w-]*+\.[\w-]{8,}+\.[\w-]{8,}+)\.[\w-]*"
)
_CARD = (
    r"(?<![\d.,/_-])((?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|65\d\d)([ -]?)\d{4}(?:\2\d{4}){2}"
    r"|3[47]\d\d([ -]?)\d{6}\3\d{5})(?![\d-]|\.\d)"
)

# Tokens without spaces. Their anchors are searched only in long words: at least TOKEN_LENGTH characters, the length of
# the shortest token, all of them in TOKEN_LETTERS, the characters of the patterns in lower case.
TOKEN_LETTERS, TOKEN_LENGTH = "abcdefghijklmnopqrstuvwxyz0123456789_-./:+=%~", 20
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
    ("slack-token", ("xox",), r"xox(?:[abeoprs]|e\.xox[bp])-[A-Za-z0-9-]{15,}", _is_mixed_token),
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
    ("sendgrid-key", ("sg.",), r"SG\.[\w-]{16,32}\.[\w-]{16,64}", _is_mixed_token),
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

# Secrets that are recognised only with the text around them.
_IN_CONTEXT: tuple[_Rule, ...] = (
    ("private-key", ("private key-----", "private key block-----"), _PEM, _is_key_block),
    ("private-key", ("private key-----",), _PEM_END, _is_token),
    ("private-key", ("private-lines:",), r"Private-Lines: \d+\s{1,4}((?:[A-Za-z0-9+/=]{8,}+\s?)++)", _is_token),
    (
        "aws-secret-key",
        ("secret",),
        r"(?i:secret[ _-]?(?:access[ _-]?)?key)[^\n:=]{0,16}(?:=>|[:=])"
        r"[\s\\\"'`]{0,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _is_mixed_token,
    ),
    (
        "aws-secret-key",
        ("akia", "asia"),
        r"A[KS]IA[A-Z0-9]{16}[\s,;:|\"']{1,5}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _is_mixed_token,
    ),
    (
        "discord-token",
        ("discord", "bot ", "token"),
        r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])",
        _is_mixed_token,
    ),
    (
        "bearer-token",
        ("bearer",),
        r"(?i:bearer)[ \t]{1,2}([A-Za-z0-9._~+/-]{16,}={0,2})(?![A-Za-z0-9(])",
        _is_mixed_token,
    ),
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
    ("card-number", CARD_WORDS, _CARD, _is_card),
)

_RULES = _TOKENS + _IN_CONTEXT

# Anchor -> ranks of its rules.
_RANKS: dict[str, list[int]] = {}
for _rank, _rule in enumerate(_RULES):
    for _anchor in _rule[1]:
        _RANKS.setdefault(_anchor, []).append(_rank)

ANCHORS = tuple(_RANKS)
TOKEN_ANCHORS = tuple(dict.fromkeys(anchor for rule in _TOKENS for anchor in rule[1]))
