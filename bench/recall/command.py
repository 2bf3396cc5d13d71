"""`holdfast bench recall`: measures every data set and every system in one run."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from bench import ROOT
from bench.recall import abstention, everyday, longmemeval, markdown, peers, sde, sizes, summary, systems, tables
from bench.recall.ablation import ablate
from bench.recall.figures import mean, with_typo
from bench.recall.ours import Holdfast
from bench.recall.plain import HYBRID, plain
from bench.recall.pool import Answers, Pool, Question, Scores, ask_all
from bench.recall.sets import FIGURES, FLOORS, FULL, SETS, SHORT
from bench.recall.tables import OURS
from bench.recall.vectors import KeptVectors, bundled
from holdfast.bench.measure import Measurement, milliseconds, quantile
from holdfast.bench.reports import Report, Section

# The text and the token count of the pack, by the question's id.
Packs = Mapping[str, tuple[str, int]]
_PACK_TOKENS = 3000
_TYPO_SEED = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated data sets (default: all)")
    parser.add_argument(
        "--questions", "--sample", type=int, default=0, help="quick run with this number of questions per set"
    )
    parser.add_argument(
        "--full", action="store_true", help="all meetings of QMSum, and a store of 100,000 passages; takes hours"
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument(
        "--folder", type=Path, default=None, help="folder that keeps the stores for the next run (default: cache)"
    )
    parser.add_argument("--no-peers", action="store_true", help="do not measure other memory systems")
    parser.add_argument("--peers-python", default="", help="interpreter with mem0 and basic-memory (default: this one)")
    parser.add_argument("--repeats", type=int, default=5, help="number of draws with half of the evidence removed")
    parser.add_argument("--no-ablation", action="store_true", help="skip the ablation")


@dataclass(slots=True)
class Run:
    """The inputs of one run, and its results so far."""

    folder: Path
    sample: int
    repeats: int
    vectors: KeptVectors
    peers: Sequence[peers.Peer]
    answered: dict[str, abstention.AnsweredSet] = field(default_factory=dict)
    scores: dict[str, Mapping[str, Scores]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def floors(self, name: str) -> Mapping[str, float]:
        """The floors of a set; a sample has none."""
        return {} if self.sample else FLOORS.get(name, {})


def measure(options: argparse.Namespace) -> Report:
    """Measures the available data sets; notes name missing ones."""
    folder = options.folder or cache_folder(os.environ) / "bench"
    vectors = bundled(folder / "vectors.db")
    others = () if options.no_peers else peers.installed(options.peers_python)
    run = Run(folder, options.questions, options.repeats, vectors, others)
    run.notes += () if options.no_peers else _who(others)
    try:
        pools = list(_pools(options, run))
        found = [table for pool in pools for table in _measure(pool, run)]
        found = [*summary.section(run.scores, run.floors), *found, *_over_sets(run, options.no_ablation, options.data)]
        if everyday.NAME in run.answered:
            found.append(_sizes(options, run))
    finally:
        vectors.close()
    return Report("recall", _command(options), tuple(found), (*(_NOTES if found else ()), *run.notes))


def cache_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The user's cache folder for Holdfast on this platform."""
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "holdfast" / "Cache"
    if platform == "darwin":
        return home / "Library" / "Caches" / "holdfast"
    return Path(environment.get("XDG_CACHE_HOME") or home / ".cache") / "holdfast"


def _pools(options: argparse.Namespace, run: Run) -> Iterator[Pool]:
    for name in options.sets.split(","):
        if name not in SETS:
            raise SystemExit(f"holdfast bench recall: unknown data set {name!r}; available: {', '.join(SETS)}")
        pool = (FULL if options.full else SETS)[name](options.data, options.questions)
        if pool is None:
            run.notes.append(f"{name}: its data was not found and not measured. Use --data to name its folder.")
        else:
            yield pool


def _measure(pool: Pool, run: Run) -> Iterator[Section]:
    """Measures one set: Holdfast, plain searches and peers side by side; then the figures specific to the set."""
    stores = systems.stores(pool, run.folder, run.vectors)
    answers = {**systems.ours(stores), **systems.plain_searches(pool, run.vectors)}
    theirs, notes = systems.others(pool, run.peers, run.folder, run.vectors)
    answers |= theirs
    run.notes += notes
    answered = run.answered[pool.name] = abstention.AnsweredSet(pool, stores, answers[OURS])
    scores = {name: pool.score(pool, theirs) for name, theirs in answers.items()}
    packs = _packs(answered)
    scores[OURS] = {**scores[OURS], **_of_packs(pool, packs)}
    run.scores[pool.name] = scores
    yield tables.side_by_side(pool.title, scores, run.floors(pool.name))
    if pool.name == longmemeval.NAME:
        yield _by_kind(answered)
        yield tables.side_by_side(
            "LongMemEval with one typo in each question", _typos(answered, run, scores), run.floors("typos")
        )
    if pool.name == everyday.NAME:
        by_language = everyday.by_language(pool, answers[OURS])
        yield tables.by_row("Everyday questions by language", [everyday.FIRST], by_language)
    title = f"{pool.name}: time per query, {pool.limit} hits, without embedding"
    yield tables.times(title, [*_times(answers), *_tokens(packs)])


def _packs(answered: abstention.AnsweredSet) -> Packs:
    """The pack for each question; for chats only."""
    if answered.pool.name not in (longmemeval.NAME, sde.NAME):
        return {}
    budget = _PACK_TOKENS if answered.pool.name == sde.NAME else None
    with Holdfast(answered.pool, answered.built) as holdfast:
        return {question.id: holdfast.pack(question, budget) for question in answered.pool.answerable}


def _of_packs(pool: Pool, packs: Packs) -> Scores:
    """The share of the deciding chats that the packs contain."""
    if pool.name != sde.NAME:
        return {}
    held = mean(_held(pool, question, packs[question.id][0]) for question in pool.answerable)
    return {"the person's deciding messages in the pack": held}


def _held(pool: Pool, question: Question, pack: str) -> float:
    """The share of the person's messages in the deciding chat that the pack contains completely, ignoring blanks."""
    text = " ".join(pack.split())
    return mean(" ".join(turn.split()) in text for turn in sde.user_turns(pool, question))


def _by_kind(answered: abstention.AnsweredSet) -> Section:
    kinds = longmemeval.by_kind(answered.pool, answered.answers)
    rows = {
        f"{kind} ({sum(q.kind == kind for q in answered.pool.answerable)})": scores for kind, scores in kinds.items()
    }
    return tables.by_row("LongMemEval by type of question", list(next(iter(rows.values()))), rows)


def _typos(answered: abstention.AnsweredSet, run: Run, before: Mapping[str, Scores]) -> Mapping[str, Scores]:
    chance = Random(_TYPO_SEED)
    slipped = tuple(replace(question, text=with_typo(question.text, chance)) for question in answered.pool.questions)
    pool = replace(answered.pool, questions=slipped)
    with Holdfast(pool, answered.built) as holdfast:
        answers = {OURS: ask_all(holdfast, pool)} | {way.name: ask_all(way, pool) for way in plain(pool, run.vectors)}
    figure = "turn recall@10"
    after = {name: pool.score(pool, theirs)[figure] for name, theirs in answers.items()}
    return {
        name: {figure: recall, "share kept": recall / before[name][figure] if before[name][figure] else float("nan")}
        for name, recall in after.items()
    }


def _times(answers: Mapping[str, Answers]) -> Sequence[Measurement]:
    timed = {name: [answer.seconds for answer in theirs.values()] for name, theirs in answers.items()}
    return [milliseconds(name, seconds) for name, seconds in timed.items() if any(seconds)]


def _tokens(packs: Packs) -> Sequence[Measurement]:
    spent = [float(tokens) for _, tokens in packs.values()]
    return [Measurement("tokens packed", quantile(spent, 0.5), quantile(spent, 0.95), "tokens")] if spent else []


def _over_sets(run: Run, no_ablation: bool, data: Path) -> Iterator[Section]:
    """Measures figures that need several sets: abstention and the ablation."""
    chats, developers = run.answered.get(longmemeval.NAME), run.answered.get(sde.NAME)
    if chats:
        yield _abstention(chats, developers, run)
    if not no_ablation:
        yield from _ablation(run, data)


def _abstention(chats: abstention.AnsweredSet, developers: abstention.AnsweredSet | None, run: Run) -> Section:
    figures: dict[str, float] = dict(abstention.foreign_questions(chats, developers)) if developers else {}
    withheld = abstention.withheld_evidence(chats.pool, chats.built, run.repeats)
    figures["evidence removed"] = withheld.figure
    figures["questions without an answer"] = abstention.unanswerable(chats)
    run.notes.append(
        f"Evidence removed, 95 % interval: {withheld.low:.3f} to {withheld.high:.3f};"
        f" half of the questions drawn {run.repeats} times."
    )
    title = "Recognising missing answers: AUROC of the confidence"
    return tables.side_by_side(title, {OURS: figures}, run.floors("abstention"))


def _ablation(run: Run, data: Path) -> Iterator[Section]:
    measured = {name: answered for name, answered in run.answered.items() if name in SHORT}
    if measured:
        usual = {name: run.scores[name][OURS] for name in measured}
        rows = {"plain hybrid search": _in_short({name: run.scores[name][HYBRID] for name in measured})}
        stores = [(answered.pool, answered.stores) for answered in measured.values()]
        if everyday.NAME in measured and not run.sample:
            for pool in sizes.pools((1_000,), data):
                stores.append((pool, systems.stores(pool, run.folder, run.vectors)))
                usual[pool.name] = pool.score(pool, systems.ask_stores(stores[-1][1]))
        rows |= {name: _in_short(by_set) for name, by_set in ablate(stores).items()}
        yield tables.with_differences(
            "Ablation: the default, and the difference for each change", _in_short(usual), rows
        )


def _sizes(options: argparse.Namespace, run: Run) -> Section:
    wanted = sizes.SMALL if run.sample else sizes.LARGE if options.full else sizes.USUAL
    rows = sizes.measure(wanted, options.data, run.folder, run.vectors)
    title = "Right answers withheld and wrong answers given: everyday questions by the size of the store"
    return tables.by_row(title, sizes.COLUMNS, rows)


def _in_short(by_set: Mapping[str, Scores]) -> Scores:
    """The figures of several sets under short names."""
    return {
        f"{SHORT[pool]} {FIGURES[name]}": figure
        for pool, scores in by_set.items()
        for name, figure in scores.items()
        if name in FIGURES
    }


def _who(found: Sequence[peers.Peer]) -> Iterator[str]:
    """Lists the measured systems, and how to install the others."""
    versions = {peer.name: peer.version for peer in found}
    for name, package in peers.PACKAGES.items():
        if name in versions:
            yield f"{name}: {package} {versions[name]}, with the bundled model and without a language model."
        else:
            yield f"{name} is not installed: pip install {package}, or name an interpreter with --peers-python."


def _command(options: argparse.Namespace) -> str:
    parts = ["holdfast bench recall"]
    if options.sets != ",".join(SETS):
        parts.append(f"--sets {options.sets}")
    parts += [f"--questions {options.questions}"] * bool(options.questions) + ["--full"] * options.full
    parts += ["--no-peers"] * options.no_peers + ["--no-ablation"] * options.no_ablation
    return " ".join(parts)


_NOTES = (
    "Holdfast is recall(query, limit) with default settings and arguments, after every session was consolidated and"
    " background work has run. A message and its session count as found with the learned memory that cites it as its"
    " source, and with the hit that names it as saying the same.",
    "types= also names the types of the set's passages; uncut returns the complete ranking, without abstention and"
    " without a limit per session. The best typed call is the better of the two.",
    "Plain hybrid is 0.6 × vectors + 0.4 × BM25, both scaled to 0…1 per question, with the same model.",
    "All systems get the same units with speaker and time; the plain searches and the peers also get documents split"
    f" into chunks of at most {markdown.PIECE} characters.",
    "Times of the peers include the call to the embeddings endpoint on this machine, which has the vector cached.",
)
