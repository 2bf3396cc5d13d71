"""The English messages of the package upkeep: titles, help and counts of the jobs, reasons, the check of the model."""

from __future__ import annotations

from holdfast.interfaces.language import translatable
from holdfast.upkeep.upkeep_reasons import UpkeepCode

# The help of each job in `container/job_table.py`, in its order.
JOBS = {
    "erase": translatable("finish erasures that were interrupted"),
    "messages": translatable("store what was said in the sessions of agents"),
    "consolidate": translatable("learn from sessions that have ended or grown long"),
    "observe": translatable("learn from finished sessions of agents"),
    "backup": translatable("copy the database, once a day"),
    "evict": translatable("drop expired entries of the embedding cache"),
    "tidy": translatable("compact the full-text index and update word counts (04:30)"),
    "enrich": translatable("search for names again where few were found (02:00)"),
    "link": translatable("link older memories to new names and aliases"),
    "code": translatable("update the code graph from changed files"),
    "anchors": translatable("compare memories with the code they are about"),
    "relate": translatable("find files of different modules that sessions need together (weekly)"),
    "reflect": translatable("write a reflection on the week (Sunday 03:00)"),
    "embed": translatable("embed every passage that has no vector of the chosen size yet"),
}

# How lists call a job that ran.
JOB_TITLES = {
    "erase": translatable("erase"),
    "messages": translatable("store messages"),
    "consolidate": translatable("learn from conversations"),
    "observe": translatable("learn from agents"),
    "backup": translatable("copy the database"),
    "evict": translatable("tidy the cache"),
    "tidy": translatable("tidy the text index"),
    "enrich": translatable("search for names"),
    "link": translatable("link names"),
    "code": translatable("index code"),
    "anchors": translatable("compare with the code"),
    "relate": translatable("relate files"),
    "reflect": translatable("reflect on the week"),
    "embed": translatable("embed passages"),
}
# What a job counted. Those of NOT_SHOWN mean nothing to people.
COUNTS = {
    "sessions": translatable("sessions"),
    "messages": translatable("messages"),
    "stored": translatable("new memories"),
    "known": translatable("already known"),
    "superseded": translatable("replaced"),
    "refused": translatable("refused"),
    "observed": translatable("sessions"),
    "kept": translatable("new memories"),
    "removed": translatable("removed"),
    "added": translatable("added"),
    "updated": translatable("updated"),
    "resolved": translatable("files"),
    "backups": translatable("copies"),
    "evicted": translatable("removed"),
    "erased": translatable("memories"),
    "joined": translatable("parts joined"),
    "counted": translatable("words counted"),
    "enriched": translatable("texts read"),
    "names": translatable("names"),
    "links": translatable("new links"),
    "older_links": translatable("links to older texts"),
    "dropped": translatable("outdated removed"),
    "related": translatable("files related"),
    "reflections": translatable("reflections"),
    "embedded": translatable("embedded"),
    "static": translatable("provisionally embedded"),
    "sentences": translatable("embedded by sentence"),
}
NOT_SHOWN = ("pages", "holder", "job")

MESSAGES = {
    UpkeepCode.ALREADY_RUNNING: translatable(
        "Another process is running background jobs; `holdfast stats` shows its progress"
    ),
    UpkeepCode.LEASE_LOST: translatable("another process took over"),
    UpkeepCode.NO_EMBEDDER: translatable("no embedder"),
    UpkeepCode.ORPHANED_PASSAGES: translatable(
        "the pending passages belong to no memory or document; run `holdfast doctor --repair`"
    ),
    UpkeepCode.KEYWORDS_ONLY: translatable("no embedding model: search uses keywords only"),
    UpkeepCode.SET_EMBEDDER: translatable("Set `embedder`, or run `holdfast models use NAME`."),
    UpkeepCode.MODEL_FAILED: translatable("the embedding model {model} failed: {error}"),
    UpkeepCode.MODEL_HINT: translatable("{hint}"),
    UpkeepCode.EMBEDDINGS_PENDING: translatable("{count} passages have no embedding yet ({model})"),
    UpkeepCode.EMBEDDINGS_IMPROVABLE: translatable(
        "{model} works; every passage has its embedding, {count} wait for a better one"
    ),
    UpkeepCode.RUN_EMBED: translatable("Background jobs embed them; `holdfast upkeep embed` does it now."),
    UpkeepCode.CODE_CURRENT: translatable("{files} files with {symbols} symbols and {edges} dependencies are indexed"),
    UpkeepCode.CODE_LARGE: translatable("{files} files with {symbols} symbols: questions about code may take long"),
    UpkeepCode.INDEX_LESS: translatable("Index less with the setting index_ignore, or open a part as its own project."),
    UpkeepCode.CODE_STALE: translatable("{stale} of {files} files changed and wait to be indexed"),
    UpkeepCode.RUN_INDEX: translatable("Background jobs index them; `holdfast index` does it now."),
    UpkeepCode.FILES_READABLE: translatable("other users may read {path}, which contains conversations"),
    UpkeepCode.HIDE_FILES: translatable("Run: chmod -R go= {path}"),
    UpkeepCode.EMBEDDINGS_COMPLETE: translatable("{model} works; every passage has its embedding"),
    UpkeepCode.LLM_ANSWERS: translatable("{model} answers"),
    UpkeepCode.LLM_FAILED: translatable("{model} failed: {error}"),
    UpkeepCode.HOOKS_WORK: translatable("no hook of an agent failed in the last seven days"),
    UpkeepCode.HOOKS_FAILED: translatable("{count} failed in the last seven days, the last one `{hook}`: {error}"),
    UpkeepCode.HOOKS_HINT: translatable("The agents went on without memory. Please report errors that return."),
}
