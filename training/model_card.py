"""Writes MODEL_CARD.md: what the model is, how it was trained, its figures, and every source with its licence.

python -m training.model_card FOLDER --record training/record

`record` holds train.log, manifest.json and figures.json of the run that made the files, and inference.json and
answers.json, the number of pairs and of questions of each public set that the reader learned from.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from training import answer_sets, inference_sets
from training.sources import sources

_HEAD = """# holdfast-embed

One vector space of 384 dimensions, made by encoders of three sizes whose vectors can be compared with each other:

- `static`: the weighted mean of one vector per token. Weights differ between queries and passages.
- `small`: a transformer of 6 layers.
- `base`: a transformer of 12 layers, in a package of its own.

Made for the memory of AI agents: to find messages, notes, documents and code by a question. English and French; other
languages work as far as their words are in the vocabulary. Licence: Apache 2.0.

## Training

`base` is snowflake-arctic-embed-s (Apache 2.0, Snowflake Inc.), fine-tuned on pairs of a question and the passage that
answers it, and held near the original on texts without labels. `small` was distilled from `base` and fine-tuned on the
same pairs. `static` was distilled from `base`. Transformer weights are stored in 7 bits, token vectors in 8. The code
is in `training/` of the repository; seeds are fixed.

{pairs:,} pairs and {texts:,} texts without labels. FriendsQA and QMSum were split by dialogue: 6 of 10 dialogues were
trained on. LongMemEval, CoSQA and the markdown questions were not. `unseen` is half RealMem, of which nothing was
trained on, and half the test part of Molweni, whose training part was. {written:,} of the pairs were written for this
model: facts about projects and people, and questions that share few words with them, in English and French; four files
of them (`written`) were not trained on. Translations of documentation teach French.

Then all sizes learned more French (`training/french.py`): a French text gets the vector of its English translation,
and English texts keep theirs.

At last a linear map, `code.npy`, was learned for the vectors of code (`training/code_map.py`): a function moves towards
queries of a search engine that it answers (5,957 of CoSQA's train part and 3,194 functions, without the queries and the
functions of the other parts). No other vector is moved.

## Figures

Recall@10 (of `written`, recall@1) of dense retrieval with rounded weights, on the development parts, by which settings
were chosen, before the last step: no evidence of quality elsewhere. `holdfast bench models` measures the files
themselves on the test parts.

| query / passage | {names} |
|---|{lines}|
{rows}

## The readers

`reader.onnx` and `relations.onnx` read two texts together. `reader.onnx` starts from `small` and learns from
`relations.onnx`, which starts from `base`. Both first learn from {inference:,} pairs of sentences from public sets of
natural-language inference and of paraphrases (`training/inference_pairs.py`), and from questions of public sets with
passages that answer and passages that do not (`training/answer_pairs.py`); then from pairs of statements, sentences of
conversations, and the pairs and worlds of the embedding model (`training/reader.py`). The table of questions has
{answers:,}; the shipped files were trained on 104,900 public ones: without medquad, pubmedqa, nq_oracle and
docs_faq_fr, and with at most 9,000 of qamr, 7,000 of squadshifts_amazon and of squadshifts_reddit, and 6,000 of
service_public_fr. Then each was trained further (`training/reader_longer.py`): `relations.onnx` on pairs of statements
alone, `reader.onnx` on 66,200 public questions, at most 3,500 of each set, medquad, pubmedqa and nq_oracle among them,
and 38,600 of ours. At last `reader.onnx` learned for 1,000 steps from sentences worth keeping with a longer context,
6,300 of them from sessions with coding agents; what it says about answers was held near what it said before.

| set | pairs | repository |
|---|---|---|
{inference_sets}

- Large sets are limited to a draw. The shipped files were trained on a draw with another seed: all pairs of sets
  without a limit are the same, in all 74,597 of 91,101.
- Breaking NLI, GQNLI-FR and the negated pairs were published for testing, and TaxiNLI is mostly the development part of
  MultiNLI: figures of the reader on these would be no evidence.
- No pair is among the 4,936 of SNLI's development part that the comparison of statements is measured on; 80 have a
  premise of these.

| set | questions | repositories |
|---|---|---|
{answer_sets}

- MedQuAD, PubMedQA and service-public.fr are limited to a draw.
- Many questions are of published development or test parts: of SQuAD 2.0, QNLI, SQuADShifts, SelQA, QAMR, CLAP NQ, QED,
  Natural Questions and Disfl-QA. Figures of the reader on these would be no evidence.

## Sources of the embedding model

| repository | commit | licence | used | attribution |
|---|---|---|---|---|
{embedder_sources}

## Sources of the reader, besides its start

The licence is the one found where `stated in` says. Many of these sets were made from older ones; the attribution names
their terms as far as they are known. The package holds none of these texts.

| repository | commit | licence | stated in | used | attribution |
|---|---|---|---|---|---|
{reader_sources}
"""


def text(record: Path) -> str:
    manifest = json.loads((record / "manifest.json").read_text(encoding="utf-8"))
    figures: dict[str, Any] = json.loads((record / "figures.json").read_text(encoding="utf-8"))
    inference: dict[str, int] = json.loads((record / "inference.json").read_text(encoding="utf-8"))
    answers: dict[str, int] = json.loads((record / "answers.json").read_text(encoding="utf-8"))
    rows = {name.removeprefix("development "): row for name, row in figures.items() if name.startswith("development ")}
    names = sorted({key for row in rows.values() for key in row if key != "unrelated"})
    return _HEAD.format(
        pairs=manifest["files"]["pairs.jsonl.xz"]["rows"],
        texts=manifest["files"]["texts.jsonl.xz"]["rows"],
        written=manifest["pairs"].get("written written", 0),
        names=" | ".join(names),
        lines="|".join("---" for _ in names),
        rows="\n".join(
            f"| {name.replace('/', ' / ')} | " + " | ".join(f"{row[key]:.3f}" for key in names) + " |"
            for name, row in rows.items()
        ),
        inference=sum(inference.values()),
        answers=sum(answers.values()),
        inference_sets="\n".join(
            f"| {each.name} | {inference[each.name]:,} | {each.parts[0].repository} |" for each in inference_sets.SETS
        ),
        answer_sets="\n".join(
            f"| {each.name} | {answers[each.name]:,} | {', '.join(each.repositories)} |" for each in answer_sets.SETS
        ),
        embedder_sources=_table("embedder", ("licence", "used", "attribution")),
        reader_sources=_table("reader", ("licence", "stated_in", "used", "attribution")),
    )


def _table(model: Literal["embedder", "reader"], fields: Sequence[str]) -> str:
    """The rows of the sources that a model was trained on."""
    return "\n".join(
        f"| {name} | {source.commit[:12]} | " + " | ".join(getattr(source, each) for each in fields) + " |"
        for name, source in sorted(sources().items())
        if source.teaches(model)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", type=Path, default=Path("training/record"))
    options = parser.parse_args()
    (options.folder / "MODEL_CARD.md").write_text(text(options.record), encoding="utf-8")


if __name__ == "__main__":
    main()
