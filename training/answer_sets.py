"""The public sets of questions and answers: where their files are, and how they are read.

A reader gives the questions of a set with passages that answer and passages that do not, and None where the answer is
not found in the text. Sets with pages of questions and answers are read by `answer_pages`.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from training.answer_pages import MEDQUAD, SERVICE_PUBLIC, Pages, medquad, service_public
from training.answer_reading import MOST_WRONG, Answer, Question, reading
from training.answer_texts import (
    LONGEST,
    RareWords,
    chosen,
    chunks,
    cleaned,
    contains,
    content_words,
    count_shared,
    detokenized,
    joined_lines,
    opening,
    sentence_spans,
    shortened,
)
from training.git_batch import read_all
from training.inference_sets import json_lines
from training.sources import Mirrors

Questions = Iterator[Question | None]

SQUAD_2_DEV = "chrischute/squad"
SQUAD_1_PART = "EmptyCityJK/flan-response-evaluator"
SQUAD_2_PART = "PhongNTDo/guide_train_MRC_transformers"
DISFLUENT = "google-research-datasets/Disfl-QA"
SHIFTS = "modestyachts/squadshifts-website"
PIAF = "psorianom/piaf-combo-huggingface"
COVID = "deepset-ai/COVID-QA"
TIME = "wenhuchen/Time-Sensitive-QA"
SELQA = "emorynlp/selqa"
QNLI = "NguyenDung0210/MT--QNLI"
CLAPNQ = "primeqa/clapnq"
QED = "google-research-datasets/QED"
NATURAL_QUESTIONS = "nelson-liu/lost-in-the-middle"
QAMR = "uwnlp/qamr"
FAIRYTALES = "uci-soe/FairytaleQAData"
INSTRUCTIONS = "code-krishna/natural-instructions"
QUOREF = "circle-hit/SAPT"
FRENCH_FAQ = "etalab-ia/piaf-ml"


def unlocated(answers: Iterable[str]) -> list[Answer]:
    return [Answer(answer) for answer in answers]


def instances(mirrors: Mirrors, task: str) -> list[Mapping[str, Any]]:
    """The inputs and outputs of a task of Super-NaturalInstructions."""
    found: list[Mapping[str, Any]] = mirrors.json(INSTRUCTIONS, f"tasks/{task}.json")["Instances"]
    return found


# --- SQuAD's format


def squad(
    mirrors: Mirrors,
    repository: str,
    path: str,
    *,
    language: str = "en",
    related: bool = True,
    reworded: Mapping[str, str] | None = None,
) -> Questions:
    """Articles of paragraphs with questions; `related` if an article's paragraphs are from one document.

    With `reworded`, only questions that have another wording are taken, in that wording.
    """
    for article in mirrors.json(repository, path)["data"]:
        texts = [paragraph["context"] for paragraph in article["paragraphs"]]
        for number, paragraph in enumerate(article["paragraphs"]):
            nearby = texts[max(0, number - 2) : number] + texts[number + 1 : number + 3] if related else []
            for entry in paragraph["qas"]:
                question = reworded.get(entry["question"].strip()) if reworded else entry["question"]
                answers, impossible = _located(entry, "answers"), entry.get("is_impossible", False)
                if question and (answers or impossible):
                    yield reading(
                        question,
                        texts[number],
                        [] if impossible else answers,
                        plausible=_located(entry, "plausible_answers"),
                        nearby=nearby,
                        language=language,
                    )


def _located(entry: Mapping[str, Any], field: str) -> list[Answer]:
    return [Answer(answer["text"], answer["answer_start"]) for answer in entry.get(field, [])]


squad_2_dev = partial(squad, repository=SQUAD_2_DEV, path="data/dev-v2.0.json")


def squad_train(mirrors: Mirrors) -> Questions:
    for part in ("train", "valid"):
        for item in mirrors.json(SQUAD_1_PART, f"data/squad/{part}.json"):
            for entry in item["qas"]:
                yield reading(entry["question"], item["context"], [Answer(entry["answer"])])
    yield from squad(mirrors, SQUAD_2_PART, "train-v2.0.json")


def disfluent(mirrors: Mirrors) -> Questions:
    """Questions of SQuAD as people say them, who correct themselves."""
    parts = [mirrors.json(DISFLUENT, f"{part}.json") for part in ("train", "dev", "test")]
    said = {entry["original"].strip(): entry["disfluent"] for part in parts for entry in part.values()}
    yield from squad_2_dev(mirrors, reworded=said)
    form = re.compile(r"proper question: (.*?) ?\ndisfluent question: (.*?) ?\ncontext: (.*)", re.S)
    for instance in instances(mirrors, "task1625_disfl_qa_asnwer_generation"):
        found = form.match(re.sub(r" ?\n ?", "\n", instance["input"]))
        if found:
            answers = [] if instance["output"][0] == "None" else unlocated(instance["output"])
            yield reading(found[1], found[3], answers)
            yield reading(found[2], found[3], answers)


# --- A text, a question, and answers without their place


def time_dependent(mirrors: Mirrors) -> Questions:
    for level in ("easy", "hard"):
        packed = mirrors.read(TIME, f"dataset/human_train.{level}.json.gzip")
        for item in json_lines(gzip.decompress(packed)):
            text = re.sub(r"(\w) \. (?=[A-Z]\b)", r"\1. ", detokenized(item["context"]))
            yield reading(
                item["question"], text, unlocated(detokenized(target) for target in item["targets"] if target)
            )


def qed(mirrors: Mirrors) -> Questions:
    for item in json_lines(mirrors.read(QED, "qed-dev.jsonlines")):
        answers = [detokenized(answer["string"]) for group in item["original_nq_answers"] for answer in group]
        if answers:
            yield reading(item["question_text"], detokenized(item["paragraph_text"]), unlocated(answers))


def natural_questions(mirrors: Mirrors) -> Questions:
    packed = mirrors.read(NATURAL_QUESTIONS, "qa_data/nq-open-oracle.jsonl.gz")
    for item in json_lines(gzip.decompress(packed)):
        text = next(context["text"] for context in item["ctxs"] if context["isgold"])
        yield reading(item["question"], text, unlocated(item["answers"]))


def qasper(mirrors: Mirrors) -> Questions:
    for instance in instances(mirrors, "task460_qasper_answer_generation"):
        text, question = instance["input"].rsplit("Question:", 1)
        answers = [answer.strip() for answer in instance["output"] if len(answer.strip()) > 2]
        if answers and len(answers[0]) < LONGEST:
            yield reading(question, text.strip(), unlocated(answers))


def unanswerable(mirrors: Mirrors) -> Questions:
    """AdversarialQA's questions, beside a passage that does not answer them."""
    for instance in instances(mirrors, "task1640_aqa1.0_answerable_unanswerable_question_classification"):
        if instance["output"][0] == "False":
            text, question = instance["input"].rsplit("Question:", 1)
            yield reading(question, text.strip(), [])


def quoref(mirrors: Mirrors) -> Questions:
    path = "CL_Benchmark/SuperNI/task002_quoref_answer_generation/train.json"
    for instance in mirrors.json(QUOREF, path)["Instances"]:
        found = re.match(r"Passage: (.*)\n ?Question: (.*)", instance["input"], re.S)
        answers = instance["output"] if isinstance(instance["output"], list) else [instance["output"]]
        if found:
            yield reading(found[2], found[1], unlocated(answer.rstrip(".") for answer in answers))


def iirc(mirrors: Mirrors) -> Questions:
    """Questions on a sentence and on the page it links to; the answer "none" means that neither says it."""
    form = re.compile(r"Context: (.*?) Link Information: (.*?) Question: (.*)", re.S)
    for instance in instances(mirrors, "task237_iirc_answer_from_subtext_answer_generation"):
        found = form.match(instance["input"])
        if found:
            sentence, linked, question = (joined_lines(text) for text in found.groups())
            answer = instance["output"][0].removeprefix("Answer:").strip()
            yield _linked(question, shortened(sentence), "" if linked == "none" else linked, answer)


def _linked(question: str, sentence: str, linked: str, answer: str) -> Question | None:
    if answer == "none":
        return Question(question, [], [sentence, *chunks(linked)][:MOST_WRONG])
    if len(answer) <= 2 or answer.lower() not in linked.lower():
        return None
    found = reading(question, linked, [Answer(answer)])
    if not found or contains(sentence, [answer]):
        return found
    return replace(found, wrong=[sentence, *found.wrong][:MOST_WRONG])


def doqa(mirrors: Mirrors) -> Questions:
    """Conversations about answers of Stack Exchange; a question that is asked again is taken once."""
    asked: dict[tuple[str, str], tuple[str, str]] = {}
    for task in ("task1439_doqa_cooking_isanswerable", "task1442_doqa_movies_isanswerable"):
        for instance in instances(mirrors, task):
            text, turns = _conversation(instance)
            for question, answer in turns:
                asked.setdefault((question, text[:80]), (text, answer))
    for (question, _), (text, answer) in asked.items():
        if len(answer) < LONGEST:
            yield reading(question, text, [] if answer == _NO_ANSWER else [Answer(answer)])


_NO_ANSWER = "CANNOTANSWER"


def _conversation(instance: Mapping[str, Any]) -> tuple[str, list[tuple[str, str]]]:
    """The text, and each question with its answer. The last question counts only if it is known to have none."""
    text, *between, last = (part.strip() for part in instance["input"].split("<sep>"))
    turns = re.findall(r"Q: (.*?) A: (.*?)(?=\s+Q: |$)", between[0]) if between else []
    found = [(question, _spaced(answer.strip())) for question, answer in turns]
    if instance["output"][0] == "No":
        found.append((re.sub(r"^.*?Q: ", "", last), _NO_ANSWER))
    return _spaced(text.removeprefix("CONTEXT:").strip()), found


def _spaced(text: str) -> str:
    """With the space between sentences that the texts lack."""
    return re.sub(r"([a-z)][.!?])([A-Z])", r"\1 \2", text)


def fairytales(mirrors: Mirrors) -> Questions:
    tables = dict(_tables(mirrors, "questions")), dict(_tables(mirrors, "section-stories"))
    for name, questions in tables[0].items():
        sections = {row["section"].strip(): row["text"] for row in tables[1].get(name, []) if row.get("section")}
        for row in questions:
            yield _about_story(row, {number: re.sub(r"\s*\n\s*", " ", text) for number, text in sections.items()})


def _tables(mirrors: Mirrors, folder: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The tables of a folder by the name of their story."""
    paths = [path for path in mirrors.files(FAIRYTALES, f"data-by-origin/{folder}/") if path.endswith(".csv")]
    for path, text in read_all(mirrors, FAIRYTALES, paths):
        name = re.sub(r"-(questions|story)\.csv$", "", path.rsplit("/", 1)[1])
        yield name, list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def _about_story(row: Mapping[str, str], sections: Mapping[str, str]) -> Question | None:
    """A question with the sentence that has an answer's words, or, if none has them all, most of them."""
    numbers = re.findall(r"\d+", row.get("cor_section") or "")
    text = " ".join(sections[number] for number in numbers if number in sections)
    answers = [answer.strip().rstrip(".") for n in range(1, 7) if (answer := row.get(f"answer{n}") or "").strip()]
    if not text or not answers or not row.get("question"):
        return None
    nearby = [other for number, other in sections.items() if number not in numbers][:4]
    literal = sorted((answer for answer in answers if contains(text, [answer])), key=len, reverse=True)
    if literal:
        found = reading(row["question"], text, unlocated(literal), nearby=nearby)
        # A short answer is often elsewhere by chance: only the place of the longest is taken.
        return found and replace(found, right=found.right[:1])
    return _in_other_words(row["question"], text, answers, nearby)


def _in_other_words(question: str, text: str, answers: Sequence[str], nearby: Sequence[str]) -> Question | None:
    """A question with the sentence, other than the first, that has most words of its answers."""
    said = set(content_words(" ".join(answers)))
    new = said - set(content_words(question))
    if len(new) < 2:
        return None
    start, end = max(sentence_spans(text), key=lambda span: count_shared(new, text[slice(*span)]))
    if start == 0 or count_shared(new, text[start:end]) < 0.6 * len(new):
        return None
    found = reading(question, text, [Answer(text[start : start + 30], start)], nearby=nearby)
    return found and replace(found, wrong=[each for each in found.wrong if count_shared(said, each) < 0.5 * len(said)])


# --- Sentences that people chose


def selqa(mirrors: Mirrors) -> Questions:
    for part in ("dev", "test"):
        for item in mirrors.json(SELQA, f"ass/selqa-ass-{part}.json"):
            sentences = [shortened(sentence) for sentence in item["candidates"]]
            right = [sentence for number, sentence in enumerate(sentences) if number in item["answers"]]
            wrong = [sentence for number, sentence in enumerate(sentences) if number not in item["answers"]]
            yield Question(cleaned(item["question"]), right, chosen(item["question"], wrong, MOST_WRONG))


def clapnq(mirrors: Mirrors) -> Questions:
    for kind in ("answerable", "unanswerable"):
        for item in json_lines(mirrors.read(CLAPNQ, f"annotated_data/dev/clapnq_dev_{kind}.jsonl")):
            outputs = item["output"] if kind == "answerable" else []
            selected = {detokenized(text) for output in outputs for text in output.get("selected_sentences", [])}
            if selected or kind == "unanswerable":
                sentences = [detokenized(text) for text in item["passages"][0]["sentences"]]
                right = [shortened(text) for text in sentences if text in selected]
                wrong = [shortened(text) for text in sentences if text not in selected]
                yield Question(item["input"], right[:4], chosen(item["input"], wrong, MOST_WRONG))


def qnli(mirrors: Mirrors) -> Questions:
    """One sentence a question. If it answers, sentences of other rows do not; the nearest three might."""
    lines = mirrors.text(QNLI, "QNLI/QNLIv2_origin/dev.tsv").splitlines()[1:]
    rows = [row for line in lines if len(row := line.split("\t")) == 4]
    sentences = RareWords(shortened(sentence) for _, _, sentence, _ in rows)
    for _, question, text, label in rows:
        sentence = shortened(text)
        if label == "entailment":
            others = [other for other in sentences.nearest(question, 12) if other != sentence]
            yield Question(question, [sentence], others[3:7])
        else:
            yield Question(question, [], [sentence])


# Questions with these cannot be understood without their sentence.
_REFERRING = {"he", "she", "it", "they", "his", "her", "their", "them", "him", "this", "that"}


def qamr(mirrors: Mirrors) -> Questions:
    """Questions on single sentences of Wikipedia and Wikinews, if the annotators gave no more than two answers."""
    sentences, documents = [], defaultdict(list)
    for line in mirrors.text(QAMR, "data/wiki-sentences.tsv").splitlines():
        key, text = line.split("\t", 1)
        sentences.append(shortened(detokenized(text)))
        documents[_document(key)].append(sentences[-1])
    rare = RareWords(sentences)
    for part in ("dev", "test"):
        for key, text, question, answers in _annotated(mirrors.text(QAMR, f"data/readable/{part}.tsv")):
            if _clear(question, text) and len({answer.lower() for answer in answers}) <= 2:
                others = [other for other in documents[_document(key)] if other != text]
                others += rare.nearest(question, 14)
                wrong = [other for other in others if not contains(other, answers) and not _alike(text, other)]
                yield Question(question, [text], chosen(question, wrong, 6))


def _document(key: str) -> str:
    return key.rsplit(":", 2)[0]


def _annotated(table: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """Key of a sentence, sentence, question and answers; a key's line starts with a hash, the sentence follows it."""
    key = text = ""
    for line in table.splitlines():
        if line.startswith("#"):
            key, text = line[1:], ""
        elif not text:
            text = shortened(line.strip())
        elif found := re.match(r"(.*?\?)\s+(.*)", line):
            yield key, text, found[1], found[2].split("\t")


def _clear(question: str, text: str) -> bool:
    referring = _REFERRING & set(re.findall(r"\w+", question.lower()))
    return not referring and count_shared(set(content_words(question)), text) >= 2


def _alike(one: str, other: str) -> bool:
    words = set(content_words(one))
    return len(words & set(content_words(other))) >= 0.7 * max(1, len(words))


# --- Questions with one answer each: wrong are the answers to similar questions


def pubmedqa(mirrors: Mirrors) -> Questions:
    """Titles of papers that ask a question; the conclusion of the abstract answers."""
    pairs = []
    for instance in instances(mirrors, "task846_pubmedqa_classification"):
        if found := re.match(r"Question: (.*)\nAnswer: (.*)", instance["input"], re.S):
            pairs.append((cleaned(found[1]), opening(found[2])))
    return _beside_similar(pairs, 5)


def french_faq(mirrors: Mirrors) -> Questions:
    """Questions to the French data protection authority."""
    pairs = []
    for client in ("cnil", "crpa"):
        for article in mirrors.json(FRENCH_FAQ, f"clients/{client}/knowledge_base/squad.json")["data"]:
            for paragraph in article["paragraphs"]:
                answer = opening(re.sub(r"([a-zé][.!?;:])([A-ZÀ])", r"\1 \2", paragraph["context"]))
                pairs += [(cleaned(entry["question"]), answer) for entry in paragraph["qas"]]
    return _beside_similar(pairs, 6, "fr")


def _beside_similar(pairs: Sequence[tuple[str, str]], count: int, language: str = "en") -> Questions:
    """Each question beside answers that share rare words with it, but not the nearest: it might answer, too."""
    answers = RareWords(answer for _, answer in pairs)
    for question, answer in pairs:
        others = [other for other in answers.nearest(question, count + 4) if other != answer]
        yield Question(question, [answer], others[1 : count + 1], language)


def documentation(mirrors: Mirrors, parts: Iterable[Pages]) -> Questions:
    for part in parts:
        yield from part.questions(mirrors)


ENGLISH_PAGES = (
    Pages("MicrosoftDocs/microsoft-365-docs", "en"),
    Pages("MicrosoftDocs/sql-docs", "en"),
    Pages("MicrosoftDocs/windows-itpro-docs", "en"),
    Pages("MicrosoftDocs/memdocs", "en"),
    Pages("github/docs", "en", "content/", (".md",)),
    Pages("kubernetes/website", "en", "content/en/", (".md",)),
)
FRENCH_PAGES = (
    Pages("MicrosoftDocs/sql-docs.fr-fr", "fr"),
    Pages("Pedrolitow/microsoft-365-docs-pr.fr-FR", "fr"),
    Pages("thibaut-neoledge/azure-docs.fr-fr", "fr"),
    Pages("mdn/translated-content", "fr", "files/fr/", (".md",)),
    Pages("kubernetes/website", "fr", "content/fr/", (".md",)),
)


@dataclass(frozen=True)
class AnswerSet:
    """A set: its repositories, its reader, and how many of its questions are drawn at most."""

    name: str
    repositories: tuple[str, ...]
    questions: Callable[[Mirrors], Questions]
    most: int | None = None


def _shifted(name: str, file: str) -> AnswerSet:
    """One domain of SQuADShifts; its paragraphs have nothing to do with each other."""
    return AnswerSet(name, (SHIFTS,), partial(squad, repository=SHIFTS, path=f"datasets/{file}.json", related=False))


def _pages(name: str, parts: tuple[Pages, ...]) -> AnswerSet:
    return AnswerSet(name, tuple(part.repository for part in parts), partial(documentation, parts=parts))


SETS = (
    AnswerSet("squad2_dev_part", (SQUAD_2_DEV,), squad_2_dev),
    AnswerSet("squad_train_part", (SQUAD_1_PART, SQUAD_2_PART), squad_train),
    AnswerSet("disfl_qa", (DISFLUENT, SQUAD_2_DEV, INSTRUCTIONS), disfluent),
    _shifted("squadshifts_wiki", "new_wiki_v1.0"),
    _shifted("squadshifts_reddit", "reddit_v1.0"),
    _shifted("squadshifts_amazon", "amazon_reviews_v1.0"),
    AnswerSet("piaf_fr", (PIAF,), partial(squad, repository=PIAF, path="data/piaf-v1.1.json", language="fr")),
    AnswerSet(
        "covid_qa",
        (COVID,),
        partial(squad, repository=COVID, path="data/question-answering/200423_covidQA.json", related=False),
    ),
    AnswerSet("timeqa_human", (TIME,), time_dependent),
    AnswerSet("doqa", (INSTRUCTIONS,), doqa),
    AnswerSet("selqa", (SELQA,), selqa),
    AnswerSet("qnli_dev", (QNLI,), qnli),
    AnswerSet("clapnq", (CLAPNQ,), clapnq),
    AnswerSet("qed_dev", (QED,), qed),
    AnswerSet("nq_oracle", (NATURAL_QUESTIONS,), natural_questions),
    AnswerSet("qamr", (QAMR,), qamr),
    AnswerSet("fairytale_qa", (FAIRYTALES,), fairytales),
    AnswerSet("iirc", (INSTRUCTIONS,), iirc),
    AnswerSet("qasper", (INSTRUCTIONS,), qasper),
    AnswerSet("adversarial_qa_unanswerable", (INSTRUCTIONS,), unanswerable),
    AnswerSet("pubmedqa", (INSTRUCTIONS,), pubmedqa, most=4_000),
    AnswerSet("quoref", (QUOREF,), quoref),
    AnswerSet("medquad", (MEDQUAD,), medquad, most=4_000),
    AnswerSet("service_public_fr", (SERVICE_PUBLIC,), service_public, most=9_000),
    AnswerSet("cnil_fr", (FRENCH_FAQ,), french_faq),
    _pages("docs_faq_en", ENGLISH_PAGES),
    _pages("docs_faq_fr", FRENCH_PAGES),
)
