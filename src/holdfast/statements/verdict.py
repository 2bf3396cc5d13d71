"""Compares two short statements by their words: same, newer value, clash, or unrelated."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

from holdfast.core.frozen import frozen
from holdfast.statements.alignment import align
from holdfast.statements.oppositions import Opposition, oppositions
from holdfast.statements.pair_features import update_measures, weigh
from holdfast.statements.pair_measures import EVENTS, pair_measures, shares_topic
from holdfast.statements.pair_model import bundled_pair_model
from holdfast.statements.parsing import Statement, read
from holdfast.statements.slots import slot_similarity
from holdfast.statements.statement_tokens import weight
from holdfast.statements.structure import CHANGES, Structure, structure

_FILE = Path(__file__).parent / "data" / "weights.json"
_STRUCTURE_FILE = _FILE.with_name("structure.json")
_JACCARD = 0.75  # minimum word overlap of a repetition
_NEAR = 0.784  # minimum closeness of a repetition with a new word
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'A-ZÀ-Ý0-9])|(?<=[!?])\s+|\n+")
_CLAUSE = re.compile(r"[,;:]\s+|\s[–—-]\s")
_DENIAL = re.compile(r"(?:and |et )?(?:not?|never|instead|rather|pas|non)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:they|he|she|it|ils?|elles?)(?= )", re.IGNORECASE)
_LAST_NAMED = re.compile(
    r"\b(?:my|our|the|his|her|their|mon|ma|mes|nos|notre|le|la|les|son|sa|ses) \w++(?: \w++){0,2} ?$", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b(?![.,:]\d)")
_MAX_SENTENCES = 12
_MIN_CLAUSE = 2  # minimum number of spaces in a clause that is compared by itself
_MAX_NEW_WEIGHT = 0.35  # maximum weight of the new words in a repetition: less than one content word
_ALIGNED = 0.5  # minimum share of equal words of statements that align
_QUALIFIED = 0.5  # minimum measure of words in only one subject
_LEAST_PERSONAL = 0.04  # minimum probability, by the model of all wordings, of an update of a personal value
MAX_TOKENS = 40  # maximum number of tokens of a statement that is compared in any wording
_MIN_WORDS = 4  # minimum number of words for a statement that is contained in a longer one


@frozen
class Verdict:
    """How a new statement relates to an old one.

    `same`: it says nothing new. `update`: the same attribute has another value, and the newer one replaces the older.
    `clash`: both cannot be true, and it is unknown which is. `apart`: they do not affect each other.
    For an update or a clash, `difference` quotes what differs (`20 → 25`), and `by` classifies it: value, option,
    antonym, negation, contrast, scope, or meaning if no single word differs, in which case both statements are quoted.
    `stated` is set if the new statement says itself that it replaces the old one.
    """

    kind: str
    difference: str
    score: float
    by: str = ""
    stated: bool = False


APART = Verdict("apart", "", 0.0)
_OTHER_SUBJECT = Verdict("apart", "", 0.0, "subject")


def marks_change(text: str) -> bool:
    """Does a text say that something changed?"""
    return bool(read(text).change.kinds & CHANGES)


def say_the_same(one: str, other: str) -> bool:
    """Do two near copies of a text say the same, apart from additions?

    No word may be replaced by another one: a weekday, a number, a name or an antonym may be all that differs.
    """
    first, second = read(one), read(other)
    return not align(first, second).pairs and not oppositions(first, second)


@lru_cache(maxsize=1024)
def compare_words(new: str, old: str, similarity: float | None = None, corrects: bool = False) -> Verdict:
    """Compares two statements by their words; `compare` explains the arguments. Cached: a page repeats pairs."""
    weights = fitted_weights()["words" if similarity is None else "near"]
    whole = compare_parsed(read(new), read(old), weights, similarity=similarity, corrects=corrects)
    new_sentences, old_sentences = _parts(new), sentences(old)
    if whole.kind in ("same", "update") or len(new_sentences) == len(old_sentences) == 1:
        return whole
    word_weights = fitted_weights()["words"]  # the similarity is that of the whole texts, not of sentences
    pairs = product(map(read, new_sentences), map(read, old_sentences))
    verdicts = (compare_parsed(*pair, word_weights, corrects=corrects) for pair in pairs if may_contradict(*pair))
    found = [verdict for verdict in (whole, *verdicts) if verdict.kind in ("update", "clash")]
    return max(found, key=lambda verdict: (verdict.kind == "update", verdict.score), default=whole)


def _parts(new: str) -> tuple[str, ...]:
    """The sentences of a statement, and the clauses of those that mark a change (`We dropped X; we use Y`)."""
    found = sentences(new)
    marked = (text for text in found if ";" in text or read(text).change.kinds & CHANGES)
    clauses = (clause for text in marked for clause in _clauses(text))
    return (*found, *(clause for clause in clauses if clause not in found and clause.count(" ") >= _MIN_CLAUSE))


def _clauses(sentence: str) -> list[str]:
    """The clauses with a verb. A phrase without one belongs to its neighbour: `in December, we deploy on Mondays`.

    A pronoun at the beginning of a clause stands for what the clause before it ends with: `my parents, they moved`.
    """
    clauses: list[str] = []
    begun = ""
    for part in _CLAUSE.split(sentence):
        named = _LAST_NAMED.search(clauses[-1]) if clauses else None
        part = _PRONOUN.sub(named[0], part) if named else part
        if read(part).verb and not _DENIAL.match(part):
            clauses.append(f"{begun}{part}")
            begun = ""
        elif clauses:
            clauses[-1] += f", {part}"
        else:
            begun += f"{part}, "
    return clauses


def may_contradict(new: Statement, old: Statement) -> bool:
    """Can they contradict each other? They must share a content word, or be personal statements."""
    personal = new.personal and old.personal
    return personal or not new.topic.keys().isdisjoint(old.topic)


def are_numbered_apart(new: Statement, old: Statement) -> bool:
    """Are they about things of one kind with different numbers: `Ticket 8 needs a review`, `Ticket 9 needs one`?"""
    return any(
        name == other and numbers.isdisjoint(others)
        for name, numbers in new.numbered.items()
        for other, others in old.numbered.items()
    )


def compare_parsed(
    new: Statement,
    old: Statement,
    weights: Mapping[str, float],
    *,
    similarity: float | None = None,
    corrects: bool = False,
) -> Verdict:
    """Like `compare`, for parsed statements and given weights of the measures of personal statements."""
    found = oppositions(new, old)
    if repeats(new, old, found, similarity):
        return Verdict("same", "", 1.0)
    if new.unsure and not old.unsure:
        return APART
    if are_numbered_apart(new, old):
        return _OTHER_SUBJECT
    verdict = _by_words(new, old, corrects)
    if (new.personal or old.personal) and any(o.values for o in found) and verdict.by in ("", "value"):
        return _personal_update(new, old, found, weights, similarity, verdict)
    return verdict


def _by_words(new: Statement, old: Statement, corrects: bool = False) -> Verdict:
    """The verdict by how the words align and, in any wording, by the fitted model.

    The model decides where the newer statement tells a change or a value differs; a known correction needs no model.
    """
    difference = structure(new, old, corrects)
    aligned = _by_structure(difference)
    if corrects or not _may_conflict(new, old, difference):
        return aligned
    likely = bundled_pair_model().likely(pair_measures(new, old, difference, structural_likelihood(difference)))
    return _judged(new, old, difference, aligned, round(likely, 3))


def _may_conflict(new: Statement, old: Statement, difference: Structure | None) -> bool:
    """Is it worth asking the model? Most pairs share no topic, or nothing says that something changed."""
    if difference is not None:
        return True
    if max(len(new.tokens), len(old.tokens)) > MAX_TOKENS:
        return False  # several statements
    told_again = (new.values and _values_repeated(new, old)) or _new_words(old.normalised, new.normalised) == []
    if told_again and not new.change.kinds & {"denied", "gone", "ends"}:
        return False
    kinds = {value.kind for value in new.values} & {value.kind for value in old.values}
    return bool(kinds or new.change.kinds & EVENTS) and shares_topic(new, old)


def _judged(new: Statement, old: Statement, difference: Structure | None, aligned: Verdict, likely: float) -> Verdict:
    """An update if it is likely enough and the newer statement can replace the older; if unclear, a contradiction."""
    least = bundled_pair_model().least
    says_so = aligned.kind == "update" and aligned.stated
    enough = least["stated"] if says_so else least["agreed"] if aligned.kind == "update" else least["update"]
    if likely < min(enough, least["doubt"]):
        return aligned if aligned.kind == "apart" else APART
    marked = bool(new.change.kinds & CHANGES)
    if difference is not None:
        replaces = difference.stated or difference.marked or difference.reversal is None
        quoted, by, stated = difference.quoted, difference.by, difference.stated or difference.marked
    else:
        reversal = next((o for o in oppositions(new.frame, old.frame) if o.kind in ("antonym", "negation")), None)
        quoted, by = _described(new, old, reversal)
        replaces, stated = marked or reversal is None, marked
    sure = likely >= enough and (not new.adds or (difference is not None and difference.stated))
    kind = "update" if replaces and sure else "clash"
    return Verdict(kind, quoted, max(likely, aligned.score) if sure else likely, by, stated and kind == "update")


def _described(new: Statement, old: Statement, reversal: Opposition | None) -> tuple[str, str]:
    """What differs in statements whose words do not align, and its kind."""
    if reversal is not None:
        return reversal.quoted, reversal.kind
    alignment = align(new.frame, old.frame)
    values = [o.quoted for o in oppositions(new.frame, old.frame) if o.values]
    if values:
        return values[0], "value"
    if alignment.pairs:
        pair = alignment.pairs[-1]
        return f"{pair.old.text} → {pair.new.text}", "option"
    ours, theirs = (" ".join(segment.text for segment in side) for side in (alignment.new, alignment.old))
    return f"{theirs or old.text} → {ours or new.text}", "option"


def _by_structure(difference: Structure | None) -> Verdict:
    """The verdict for statements whose words align: a likely conflict is an update if the new one says so, or if only
    a value differs; otherwise it is unknown which statement holds."""
    if difference is None:
        return APART
    likely, least = round(structural_likelihood(difference), 3), _model()["least"]
    if likely < least["doubt"]:
        qualified = difference.measures["subject"] + difference.measures["case"] >= _QUALIFIED
        return _OTHER_SUBJECT if qualified and difference.measures["shared"] >= _ALIGNED else APART
    replaces = difference.stated or difference.marked or difference.reversal is None
    sure = likely >= least["clash" if difference.stated else "update"]
    kind = "update" if replaces and sure else "clash"
    stated = difference.stated or (difference.marked and kind == "update")
    return Verdict(kind, difference.quoted, likely, difference.by, stated)


def structural_likelihood(difference: Structure | None) -> float:
    """How likely a difference of aligned words is a conflict; 0 without a difference."""
    return 0.0 if difference is None else weigh(difference.measures, _model()["weights"])


def _personal_update(
    new: Statement,
    old: Statement,
    found: Sequence[Opposition],
    weights: Mapping[str, float],
    similarity: float | None,
    by_structure: Verdict,
) -> Verdict:
    """The verdict for values in what people say about themselves, which seldom aligns: decided by fitted measures."""
    if _years(new) and _years(old) and _years(new).isdisjoint(_years(old)):
        return by_structure
    if _is_unlikely(new, old):
        return by_structure
    measures = update_measures(new, old, found, similarity)
    if measures.get("falls"):  # a collected amount does not decrease: a smaller count is a different one
        return APART
    likely = weigh(measures, weights)
    if by_structure.kind == "update" or likely < fitted_weights()["least"]["update"]:
        return by_structure
    pairs = [opposition for opposition in found if opposition.values]
    best = max(pairs, key=lambda o: slot_similarity(new, o.values[0], old, o.values[1]) if o.values else 0.0)
    return Verdict("update", best.quoted, round(likely, 3), "value")


def _is_unlikely(new: Statement, old: Statement) -> bool:
    """Does the model of all wordings find that the statements are about different things?"""
    difference = structure(new, old)
    measures = pair_measures(new, old, difference, structural_likelihood(difference))
    return bundled_pair_model().likely(measures) < _LEAST_PERSONAL


def _years(statement: Statement) -> frozenset[str]:
    return frozenset(_YEAR.findall(statement.text))


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """The first sentences of a text, at most twelve; cached."""
    found = [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]
    return tuple(found[:_MAX_SENTENCES])


@cache
def fitted_weights() -> Mapping[str, Mapping[str, float]]:
    """The weights shipped with the package, fitted by `bench/statements_fit.py`."""
    weights: Mapping[str, Mapping[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))["weights"]
    return weights


@cache
def _model() -> Mapping[str, Mapping[str, float]]:
    """The weights of the measures of structure and the thresholds, fitted by `bench/structure_fit.py`."""
    model: Mapping[str, Mapping[str, float]] = json.loads(_STRUCTURE_FILE.read_text(encoding="utf-8"))
    return model


def repeats(new: Statement, old: Statement, found: Sequence[Opposition], similarity: float | None) -> bool:
    """Does the old statement contain the new one: the same values, polarity and words in the same order?

    Word overlap alone loses information (`tabs, not spaces`). So every word of the new one must occur in the old one,
    in order and as often; if the vectors are close, one word of little weight may be new.
    """
    if found or not _values_repeated(new, old) or new.force != old.force or new.negated != old.negated:
        return False
    if new.ended != old.ended:  # `On n'utilise plus Redis` says more than `On utilise Redis`
        return False
    new_words = _new_words(new.normalised, old.normalised)
    if new_words is None:
        return False
    union = len(set(new.normalised) | set(old.normalised))
    alike = len(set(new.normalised) & set(old.normalised)) / union if union else 1.0
    if not new_words and (alike >= _JACCARD or len(new.normalised) >= _MIN_WORDS):
        return True
    near = similarity is not None and similarity >= _NEAR
    return near and sum(map(weight, new_words)) <= _MAX_NEW_WEIGHT


def _new_words(new: Sequence[str], old: Sequence[str]) -> list[str] | None:
    """The words of the new statement that the old one lacks; None if the shared words have another order."""
    known, place, new_words = set(old), 0, []
    for word in new:
        if word not in known:
            new_words.append(word)
            continue
        while place < len(old) and old[place] != word:
            place += 1
        if place == len(old):
            return None
        place += 1
    return new_words


def _values_repeated(new: Statement, old: Statement) -> bool:
    return all(any(v.kind == w.kind and v.equals(w) for w in old.values) for v in new.values)
