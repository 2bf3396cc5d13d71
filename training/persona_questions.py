"""Questions made of first-person facts: "I love to bake." gives "Does Clara love to bake?" or "Who loves to bake?"."""

from __future__ import annotations

import random
import re

_LIKING = r"like|love|enjoy|hate|prefer|dislike|want"
_DOING = (
    r"play|drive|read|eat|watch|study|teach|collect|speak|drink|listen to|sing|write|paint|grow|cook|make|sell|wear"
)
_UNUSABLE = re.compile(r"\b(i|me|am|'m|myself|i'm)\b")


def question_of_fact(fact: str, name: str, woman: bool, chance: random.Random) -> str:
    """A question about `name` that the fact answers, or "" if no rule fits."""
    text = re.sub(r"\bi'm\b", "i am", fact.strip().rstrip(".!").lower())
    if len(text.split()) > 10:
        return ""
    text = re.sub(r"\bi (?:also|currently|really|just|absolutely) ", "i ", text)
    for rule in (_favourite, _being, _liking, _having, _living, _working, _past, _doing, _relative):
        questions = rule(text, name, "her" if woman else "his")
        if questions and not any(_UNUSABLE.search(question) for question in questions):
            open_ones = [question for question in questions if not question.startswith(("Does ", "Is "))]
            return chance.choice(open_ones if open_ones and chance.random() < 0.6 else questions)
    return ""


def _favourite(text: str, name: str, _whose: str) -> list[str]:
    match = re.match(r"my favou?rite (.{2,30}?) (is|are|was) ", text)
    return [f"What {match[2]} {name}'s favorite {match[1]}?"] if match else []


def _being(text: str, name: str, whose: str) -> list[str]:
    match = re.match(
        r"i am (an? .+|(?:\d+|very|so|afraid|allergic|married|divorced|single|vegan|vegetarian)\b.*)$", text
    )
    if not match:
        return []
    what = _turned(match[1], whose)
    return [f"Is {name} {what}?", f"Who is {what}?", f"Who said that {'she' if whose == 'her' else 'he'} is {what}?"]


def _liking(text: str, name: str, whose: str) -> list[str]:
    match = re.match(rf"i ({_LIKING}) (.+)$", text)
    if not match:
        return []
    what = _turned(match[2], whose)
    return [f"Does {name} {match[1]} {what}?", f"Who {match[1]}s {what}?"]


def _having(text: str, name: str, whose: str) -> list[str]:
    match = re.match(r"i (have|own) (an?|the|two|three|four|five|six|no|\d+|my own) (.+)$", text)
    if not match:
        return []
    what = _turned(f"{match[2]} {match[3]}", whose)
    questions = [f"Does {name} {match[1]} {what}?", f"Who {'has' if match[1] == 'have' else 'owns'} {what}?"]
    counted = match[2] in ("two", "three", "four", "five", "six") or match[2].isdigit()
    if counted and " and " not in match[3]:
        questions.append(f"How many {match[3]} does {name} {match[1]}?")
    return questions


def _living(text: str, name: str, _whose: str) -> list[str]:
    match = re.match(r"i live (in|on|at|near|with) ", text)
    if not match:
        return []
    return [f"Who does {name} live with?"] if match[1] == "with" else [f"Where does {name} live?"]


def _working(text: str, name: str, _whose: str) -> list[str]:
    match = re.match(r"i work (as|in|at|for|with) ", text)
    if not match:
        return []
    return (
        [f"What does {name} do for a living?", f"What is {name}'s job?"]
        if match[1] == "as"
        else [f"Where does {name} work?"]
    )


def _past(text: str, name: str, _whose: str) -> list[str]:
    for pattern, question in (
        (r"i (?:was|were) born in ", f"Where was {name} born?"),
        (r"i grew up (?:in|on) ", f"Where did {name} grow up?"),
        (r"i (?:was )?raised (?:in|on) ", f"Where was {name} raised?"),
        (r"i (?:recently |just )?moved to ", f"Where did {name} move to?"),
        (r"i (?:went to|attended|graduated from) ", f"Where did {name} go to school?"),
        (r"i (?:recently |just )?got (?:a|an) ", f"What did {name} get?"),
    ):
        if re.match(pattern, text):
            return [question]
    return []


def _doing(text: str, name: str, whose: str) -> list[str]:
    match = re.match(rf"i ({_DOING}) (.+)$", text)
    if not match:
        return []
    return [f"What does {name} {match[1]}?", f"Does {name} {match[1]} {_turned(match[2], whose)}?"]


def _relative(text: str, name: str, _whose: str) -> list[str]:
    match = re.match(r"my ((?:\w+ )?\w+) (is|are|was|were|works|has|lives|left|died|taught|loves|likes) ", text)
    if not match or match[1].endswith((" and", " i")):
        return []
    what = f"{name}'s {match[1]}"
    known = {"works": f"What does {what} do?", "lives": f"Where does {what} live?", "died": f"What happened to {what}?"}
    return [known.get(match[2], f"What did {name} say about {_whose} {match[1]}?")]


def _turned(text: str, whose: str) -> str:
    return re.sub(r"\bmy\b", whose, text)
