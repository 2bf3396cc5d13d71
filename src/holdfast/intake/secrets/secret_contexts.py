"""Secrets that are recognised only with the text around them: kind, anchors, pattern, check."""

from __future__ import annotations

from holdfast.intake.secrets.checks import (
    CARD_WORDS,
    Rule,
    is_basic_auth,
    is_card,
    is_key_block,
    is_mixed_token,
    is_random_token,
    is_token,
    is_url_password,
    is_whole,
)

_PEM = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]++|-(?!--))*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    # A truncated block: every line that still looks like a key.
    r"|(?:(?:[\s\"'+>|,]|\\[nr])*(?:(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{0,200}|MI[A-Za-z0-9+/=]{2,}+"
    r"|[A-Za-z0-9+/=]{16,}+))+)"
)
_PEM_END = (
    r"(?m)^(?:[A-Za-z0-9+/]{60,80}\r?\n){1,64}(?:[A-Za-z0-9+/=]{1,80}\r?\n)?"
    r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
)
_CARD = (
    r"(?<![\d.,/_-])((?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|65\d\d)([ -]?)\d{4}(?:\2\d{4}){2}"
    r"|3[47]\d\d([ -]?)\d{6}\3\d{5})(?![\d-]|\.\d)"
)

IN_CONTEXT: tuple[Rule, ...] = (
    ("private-key", ("private key-----", "private key block-----"), _PEM, is_key_block),
    ("private-key", ("private key-----",), _PEM_END, is_token),
    ("private-key", ("private-lines:",), r"Private-Lines: \d+\s{1,4}((?:[A-Za-z0-9+/=]{8,}+\s?)+)", is_token),
    (
        "aws-secret-key",
        ("secret",),
        r"(?i:secret[ _-]?(?:access[ _-]?)?key)[^\n:=]{0,16}(?:=>|[:=])"
        r"[\s\\\"'`]{0,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        is_mixed_token,
    ),
    (
        "aws-secret-key",
        ("akia", "asia"),
        r"A[KS]IA[A-Z0-9]{16}[\s,;:|\"']{1,5}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        is_mixed_token,
    ),
    (
        "discord-token",
        ("discord", "bot ", "token"),
        r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])",
        is_mixed_token,
    ),
    (
        "bearer-token",
        ("bearer",),
        r"(?i:bearer)[ \t]{1,2}([A-Za-z0-9._~+/-]{16,}={0,2})(?![A-Za-z0-9(])",
        is_mixed_token,
    ),
    (
        "basic-auth",
        ("auth",),
        r"(?i:authorization)[\\\"'`]{0,2}\s{0,2}[:=]\s{0,2}[\\\"'`]{0,2}(?i:basic) {1,2}([A-Za-z0-9+/]{8,}={0,2})",
        is_token,
    ),
    ("basic-auth", ("basic",), r"(?i:basic) {1,2}([A-Za-z0-9+/]{12,}={0,2})(?![A-Za-z0-9+/=])", is_basic_auth),
    (
        "token",
        ("auth",),
        r"(?i:authorization)[\\\"'`]{0,2}\s{0,2}[:=]\s{0,2}[\\\"'`]{0,2}(?:(?!(?i:bearer|basic))[A-Za-z-]{2,16} {1,2})?"
        r"(?:token=)?[\\\"']{0,2}([\w.~+/=-]{16,})",
        is_random_token,
    ),
    ("token", ("ssws",), r"SSWS {1,2}([\w-]{20,})", is_token),
    (
        "cookie",
        ("cookie",),
        r"(?i:cookie)[\"']?: ?[\"']?(?:[^\s=;\"']{1,40}=[^\s;\"']{0,15}; ?){0,8}[\w.-]{1,40}=([\w.%+/:-]{16,})",
        is_random_token,
    ),
    (
        "url-password",
        ("://",),
        r"://(?:[^\s:/@?#\"'`<>\\\[]{0,100}):([^\s/\"'`<>\\]{1,300})@(?=[\w.\[$%{-])",
        is_url_password,
    ),
    # A token in place of a user: Sentry, git over HTTPS.
    ("url-token", ("://",), r"://([A-Za-z0-9_-]{20,100})@[\w.-]", is_random_token),
    (
        "url-signature",
        ("signature=",),
        r"(?i:X-(?:Amz|Goog|Oss)-Signature|[?&]Signature)=([A-Za-z0-9%+/=_-]{27,})",
        is_mixed_token,
    ),
    (
        "webhook",
        ("office.com/webhook",),
        r"office\.com/webhookb?2?/([\w@-]{36,80}/IncomingWebhook/[0-9a-f]{32}(?:/[\w-]{36}(?:/[\w-]+)?)?)",
        is_token,
    ),
    ("webhook", ("hooks.zapier.com/",), r"hooks\.zapier\.com/hooks/catch/(\d{4,}/\w{5,})", is_token),
    ("webhook", ("ifttt.com/",), r"ifttt\.com/trigger/[\w-]{1,60}/(?:json/)?with/key/([\w-]{16,})", is_token),
    ("webhook", ("/bot/v2/hook/",), r"/bot/v2/hook/([\w-]{20,})", is_token),
    ("telegram-token", ("api.telegram.org/",), r"api\.telegram\.org/(?:file/)?bot(\d{8,10}:[\w-]{32,36})", is_whole),
    (
        "discord-webhook",
        ("/api/webhooks/",),
        r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{10,}/([\w-]{30,})",
        is_token,
    ),
    ("private-key", ("privatekey", "presharedkey"), r"(?i:PrivateKey|PresharedKey) ?= ?([A-Za-z0-9+/]{43}=)", is_token),
    ("private-key", ("wif",), r"(?i:\bwif\b)[^\n]{0,20}?([5KL][1-9A-HJ-NP-Za-km-z]{50,51})(?![A-Za-z0-9])", is_token),
    (
        "private-key",
        ("private key", "privkey", "private_key", "clé privée", "private schlüssel"),
        r"(?i:private[ _]?key|privkey|clé privée|private[rn]? schlüssel)[^\n]{0,30}?\b"
        r"((?:0x)?[0-9a-fA-F]{64}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})(?![A-Za-z0-9])",
        is_mixed_token,
    ),
    (
        "password-hash",
        ("$2a$", "$2b$", "$2y$", "$argon2", "$5$", "$6$", "$y$", "pbkdf2_"),
        r"(?:\$2[aby]\$\d\d\$[A-Za-z0-9./]{53}|\$argon2\w{1,2}\$[^\s\"'`]{40,200}|\$[56y]\$[^\s\"'`:]{40,200}"
        r"|pbkdf2_sha\d+\$\d+\$[^\s\"'`]{30,200})",
        is_token,
    ),
    (
        "paypal-token",
        ("access_token$",),
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
        is_token,
    ),
    ("card-number", CARD_WORDS, _CARD, is_card),
)
