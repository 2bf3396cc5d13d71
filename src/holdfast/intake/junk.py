"""Detects texts that are not worth remembering or are not readable. Doubtful texts pass."""

from __future__ import annotations

import re

from holdfast.core.reason import Reason
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.text.calendar_words import FRENCH_MONTHS, MONTHS


def why_unreadable(text: str) -> Reason | None:
    """Why this is not readable text, or None. Applies to messages as well as to memories."""
    if "\0" in text:
        return Reason.of(IntakeCode.NUL_BYTES)
    if _has_lone_surrogates(text):
        return Reason.of(IntakeCode.LONE_SURROGATES)
    if _count_controls(text) > len(text) / 10:
        return Reason.of(IntakeCode.CONTROL_CHARACTERS)
    if text.count("\ufffd") > len(text) / 10:
        return Reason.of(IntakeCode.REPLACEMENT_CHARACTERS)
    return None


def why_junk(text: str, *, limit: int, force: bool = False) -> Reason | None:
    """Why this is not worth remembering, or None. `limit` is the maximum number of characters.

    With `force`, readable words are enough: a person insists that they are worth remembering.
    """
    if not text or text.isspace():
        return Reason.of(IntakeCode.EMPTY)
    unreadable = why_unreadable(text)
    if unreadable:
        return unreadable
    if len(text) > limit:
        return Reason.of(IntakeCode.TOO_LONG, count=len(text), limit=limit)
    if not any(map(str.isalnum, text)):
        return Reason.of(IntakeCode.NO_WORDS)
    return None if force else _why_worthless(text)


# Without tab, line ends and escape: terminal output contains them and is text.
_CONTROL_BYTES = bytes((*range(1, 9), *range(14, 27), *range(28, 32), 127))


def _count_controls(text: str) -> int:
    # Bytes are translated in one pass for all control characters.
    coded = text.encode()
    count = len(coded) - len(coded.translate(None, _CONTROL_BYTES))
    # Control characters beyond ASCII have two bytes; the first is 0xC2.
    return count + (len(re.findall(r"[\x80-\x9f]", text)) if b"\xc2" in coded else 0)


def _has_lone_surrogates(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _why_worthless(text: str) -> Reason | None:
    if "[secret:" in text and _is_only_secrets(text):
        return Reason.of(IntakeCode.ONLY_SECRETS)
    if _is_placeholder(text):
        return Reason.of(IntakeCode.PLACEHOLDER)
    if _is_one_thing_repeated(text):
        return Reason.of(IntakeCode.REPETITION)
    if _is_noise(text):
        return Reason.of(IntakeCode.LOG_LINES)
    return _why_said_in_passing(text)


def _why_said_in_passing(text: str) -> Reason | None:
    if len(text) <= _LONGEST_COURTESY and _is_courtesy(text):
        return Reason.of(IntakeCode.COURTESY)
    if len(text) <= _LONGEST_ANNOUNCEMENT and _is_announcement(text):
        return Reason.of(IntakeCode.ANNOUNCEMENT)
    return None


_AROUND_SECRETS = frozenset(
    "a an and api apikey auth bearer de du here is it key la le les mdp mot mon my of our passe password passwd pwd"
    " secret ssh that the this token use user username with your est clé contraseña passwort 密码 密钥 是".split()
)


def _is_only_secrets(text: str) -> bool:
    rest = re.sub(r"\[secret:[a-z0-9-]{1,40}\]|[_=]", " ", text)
    return all(word in _AROUND_SECRETS for word in _plain(rest).split())


def _plain(text: str) -> str:
    """Normalises a text: lower case, straight apostrophes, single spaces, punctuation only inside words."""
    words = map(_bare, text.lower().replace("’", "'").split())
    return " ".join(word for word in words if word)


def _bare(word: str) -> str:
    if word.isalnum():
        return word
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return word[start:end]


def _phrases(*lines: str) -> tuple[str, ...]:
    return tuple(phrase for line in lines for phrase in line.split(", "))


_PLACEHOLDERS = frozenset(
    _phrases(
        "todo, tbd, tba, fixme, placeholder, n/a, na, none, null, nil, undefined, nan, test, testing, test test",
        "asdf",
        "foo, bar, baz, foo bar, foo bar baz, foobar, qwerty, xxx, text, string, example, untitled, hello world",
        "this is a test, your text here, insert text here, enter text here, text goes here, example text",
        "sample text",
        "texte ici, votre texte ici, à faire, ceci est un test, dies ist ein test, esto es una prueba, 测试, テスト",
    )
)


# Words that mean nothing, alone or one after another.
_NONSENSE = re.compile(
    r"(?:(?:asdf|asd|sdf|qwer|qwert|qwerty|zxcv|jkl|hjkl|dfgh?|fdsa|azerty|"
    r"foo|bar|baz|qux|blah?|xxx|testing|test) ?)+"
)


# Single letters and short numbers: nothing but what is typed to try something out.
_NO_WORD = re.compile(r"(?:[a-z]|\d{1,3})(?: (?:[a-z]|\d{1,3}))*")


def _is_placeholder(text: str) -> bool:
    start = _plain(text[:40])
    if start.startswith("lorem ipsum"):
        return True
    if len(text) >= 40:
        return False
    is_no_word = _NO_WORD.fullmatch(text.strip(" \n.!?").lower()) is not None
    return is_no_word or start in _PLACEHOLDERS or _NONSENSE.fullmatch(start) is not None


def _is_one_thing_repeated(text: str) -> bool:
    words = text.lower().split()
    if len(words) >= 4:
        first = _bare(words[0])
        return all(_bare(word) == first for word in words) or _is_one_line_repeated(text)
    letters = "".join(map(_bare, words))
    return len(letters) >= 4 and len(set(letters)) == 1 and not letters.isdigit()


def _is_one_line_repeated(text: str) -> bool:
    """Are there at least five lines that differ only in their numbers?"""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return len(lines) >= 5 and len({re.sub(r"\d+", "0", line) for line in lines}) == 1


_BAR = r"[#=>█▓▒░━]{5,}|\d ?% ?[|\[]|\|[█▓▒░#=> -]{3,}\|"
_BAR_BEGINS = "#=>█▓▒░━|"
_ROUTINE = (
    r"npm (?i:warn|notice|http|timing)\b|yarn (?:install )?v[\d.]+$|warning .{0,80}(?:peer dependency|deprecated)"
    r"|(?:\[?\d[\d:TZ.,/+ -]{5,40}\]?[ \t]*)?\[?(?:INFO|DEBUG|TRACE|VERBOSE)\]?(?:[ :\]]|$)"
    r"|Requirement already satisfied:"
    r"|(?:remote: )?(?:Counting|Compressing|Receiving|Resolving|Writing) (?:objects|deltas)"
    r"|(?:Collecting|Downloading|Installing|Fetching|Unpacking|Extracting|Building|Uploading|Progress|Loading)\b.{0,80}"
    r"(?:\d ?%|\.\.\.|…|\d ?[kMG]i?B\b)"
)


def _is_noise(text: str) -> bool:
    """Is every line progress or routine output? One or two lines count only with a progress bar or an npm prefix."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    plainly_noise = 0
    for line in lines:
        routine = re.match(_ROUTINE, line)
        if _is_bar(line) or (routine and line.startswith("npm ")):
            plainly_noise += 1
        elif not routine:
            return False
    return plainly_noise > 0 or len(lines) >= 3


def _is_bar(line: str) -> bool:
    """Is it a progress bar with little text?"""
    if "%" not in line and line[0] not in _BAR_BEGINS:
        return False
    bar = re.search(_BAR, line)
    return bar is not None and sum(map(str.isalpha, line)) <= 40 and ("%" in line or bar.group().strip() == line)


_LONGEST_COURTESY = 400
_COURTESIES = frozenset(
    _phrases(
        "ok, okay, k, kk, yes, yep, yeah, yup, no, nope, sure, thanks, thx, ty, done, great, nice, cool, perfect",
        "awesome",
        "excellent, good, lgtm, ack, hi, hello, hey, bye, goodbye, please, continue, proceed, next, right, exactly",
        "correct",
        "agreed, understood, noted, sorry, wow, hmm, hm, lol, haha, hahaha, welcome, ready, finished, completed",
        "approved",
        "merged, fixed, fine, alright, absolutely, thank you, thanks a lot, many thanks, thank you so much",
        "thanks so much",
        "thank you very much, got it, go ahead, go on, keep going, sounds good, looks good, looks good to me",
        "looks great",
        "will do, all done, all good, no problem, you're welcome, my pleasure, of course, that's right, i see",
        "i understand",
        "makes sense, that makes sense, good job, well done, great job, nice work, yes please, no thanks",
        "no thank you",
        "try again, do it, that works, it works, it works now, good morning, good night, good evening, see you",
        "one moment",
        "just a moment, i'm on it, on it, glad to help, happy to help, glad i could help, hope this helps",
        "i hope this helps",
        "i'm done, task complete, task completed, that's it, that's all, never mind, nevermind, i'll do that",
        "for your help",
        "i'll get started, let me check, let me take a look, again, fixed it, fixed that, fixed now, it's fixed",
        "that fixed it, did it, it's done, that worked, it worked, works now, all fixed, now it works, c'est corrigé",
        "c'est réglé, corrigé, réglé",
        "oui, non, merci, d'accord, parfait, super, génial, bien, compris, fait, terminé, bonjour, salut, bonsoir",
        "désolé",
        "voilà, entendu, exact, continuez, suivant, noté, reçu, top, nickel, fini, validé, vas-y, allez-y",
        "merci beaucoup",
        "c'est bon, c'est fait, ça marche, je comprends, très bien, bien sûr, de rien, au revoir, bonne journée",
        "pas de problème, je vous en prie, avec plaisir, c'est parfait, tout est bon",
        "ja, nein, danke, bitte, gut, fertig, erledigt, verstanden, genau, hallo, tschüss, prima, passt, alles klar",
        "vielen dank, danke schön, sehr gut, kein problem, gern geschehen, mach weiter",
        "sí, si, gracias, vale, listo, hecho, perfecto, entendido, claro, hola, adiós, bueno, genial, muchas gracias",
        "de nada, está bien, muy bien, de acuerdo, sim, não, obrigado, obrigada, pronto, feito, perfeito, entendi",
        "certo",
        "olá, ótimo, beleza, muito obrigado, tudo bem, tudo certo, sì, grazie, fatto, perfetto, capito, ciao, prego",
        "grazie mille, va bene, tutto bene, bedankt, klaar, goed, dank je, dank u",
        "да, нет, спасибо, готово, хорошо, понятно, ок, привет, отлично",
        "好, 好的, 是, 是的, 不, 谢谢, 謝謝, 多谢, 明白, 明白了, 知道了, 收到, 完成, 完成了, 可以, 没问题, 你好",
        "继续, 行, 对, 嗯, 不客气",
        "はい, いいえ, ありがとう, ありがとうございます, 了解, 了解です, 了解しました, わかりました, 完了",
        "完了しました, お願いします",
        "네, 아니요, 감사합니다, 고마워요, 알겠습니다, 완료, 안녕하세요, 좋아요",
    )
)
_COURTESY_WORDS = max(len(phrase.split()) for phrase in _COURTESIES)
_OPENINGS = _phrases(
    "let me know if, let me know when, let me know how, please let me know, feel free to ask, feel free to reach",
    "is there anything else, if you need anything else, if you have any other questions, if you have any questions",
    "if you have any more questions, if you have any further questions, i hope this, i'm sorry but as an ai",
    "i'm sorry but i can't, i'm sorry but i cannot, i'm sorry but as a, as an ai language model, as an ai i",
    "as a large language model, as an ai assistant, i'm just an ai, i can't help with that, i cannot assist with",
    "i'm here to help, happy to help, how can i help, how may i help, don't hesitate to, thanks for your",
    "thanks for the",
    "thank you for your, thank you for the, n'hésitez pas à, n'hésite pas à, faites-moi savoir si",
    "fais-moi savoir si",
    "dites-moi si, dis-moi si, y a-t-il autre chose, si vous avez besoin, si vous avez d'autres questions",
    "j'espère que cela, merci pour, en tant qu'ia, en tant que modèle de langage, je suis désolé mais en tant",
    "comment puis-je vous aider, lass mich wissen, lassen sie mich wissen, als ki-, es tut mir leid aber als ki",
    "wie kann ich dir helfen, wie kann ich ihnen helfen, avísame si, hazme saber si, como modelo de lenguaje",
    "lo siento pero como, hay algo más en, me avise se, como modelo de linguagem, fammi sapere se",
    "come modello linguistico, laat het me weten, 如果你有任何, 如果您有任何, 如果还有, 作为一个ai",
    "作为一个人工智能, 他に何か, 何かあれば",
)


def _is_courtesy(text: str) -> bool:
    """Is each of its sentences a courtesy?"""
    sentences = re.split(r"(?<![.!?;。！？；~])[.!?;。！？；~]++(?=\s|$|[^\x00-\x7f])|\n+", text)
    return all(map(_is_courteous, sentences))


def _is_courteous(sentence: str) -> bool:
    plain = _plain(sentence)
    if not plain or plain in _COURTESIES:
        return True
    if plain.startswith(_OPENINGS):
        return len(plain.split()) <= 25 and not _has_particulars(sentence)
    parts = map(_plain, re.split(r"[,，、—–:]|\s-\s|\s(?:and|et|und|y|e)\s", sentence))
    return all(_is_courtesies(part.split()) for part in parts)


def _is_courtesies(words: list[str]) -> bool:
    """Do the words consist of courtesies, as `ok thanks a lot` does?"""
    reached = {0}
    for start in range(len(words)):
        if start in reached:
            ends = range(start + 1, min(start + _COURTESY_WORDS, len(words)) + 1)
            reached.update(end for end in ends if " ".join(words[start:end]) in _COURTESIES)
    return len(words) in reached


def _has_particulars(sentence: str) -> bool:
    """Does it contain a number, a file name or code, which may be worth remembering?"""
    return re.search(r"\d|[`/_(){}<>=]|\w\.\w", sentence) is not None


_LONGEST_ANNOUNCEMENT = 160
_DO = (
    "run|rerun|re-run|check|look|see|read|open|inspect|examine|verify|search|start|continue|proceed|take a look"
    "|have a look|fix|test|try|explore|review|investigate|analy[sz]e|double-check"
)
_DOING = "running|checking|looking at|reading|fixing|testing|verifying|starting|rerunning|reviewing"
_FAIRE = "lancer|vérifier|exécuter|regarder|lire|corriger|chercher|ouvrir|tester"
# What its author does next or at the moment, which nobody asks about later.
_ANNOUNCEMENT = re.compile(
    r"(?:(?:ok|okay|great|good|alright|now|next|first|then|perfect|so|d'accord|bon|maintenant),? )*"
    r"(?:(?:i will|i'll|i am going to|i'm going to|let me|let's|going to|time to)"
    rf"(?: (?:just|quickly|first|also|now|next))* (?:{_DO})\b.*"
    rf"|(?:i'm |i am )?(?:now )?(?:{_DOING}) (?:the|your|all|this|that|these|it)\b.* now"
    rf"|je vais (?:maintenant |d'abord )?(?:{_FAIRE})\b.*)"
)
# A day, a reason or a condition: then it is a plan that somebody may ask about.
_PLAN = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next (?:week|month|year)|every|each|always|never|because"
    r"|unless|until|before|after|when|if|demain|chaque|toujours|jamais|parce|avant|après|quand"
    rf"|\b(?:{'|'.join((*MONTHS, *FRENCH_MONTHS))}|spring|summer|autumn"
    r"|winter|weekend|christmas|easter|printemps|été|automne|hiver|noël|pâques)\b"
)


def _is_announcement(text: str) -> bool:
    """Does its author say only what they do next, as `I will now run the tests.` does?"""
    plain = _plain(text)
    if _ANNOUNCEMENT.fullmatch(plain) is None or _PLAN.search(plain) is not None:
        return False
    return len(plain.split()) <= 12 and not _has_particulars(text)
