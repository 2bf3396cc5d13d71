-- The schema of the first release. Each table is either canonical (the truth) or derived (rebuilt from the truth by
-- `holdfast doctor --repair`, by `holdfast index` for code, or by the background for vectors). Later releases add
-- files with higher numbers beside this one. Columns stay in the order in which they were added, so that a database
-- made before the release has the same tables.


-- The file, its projects and its jobs

-- canonical: properties of this file
create table metadata (
  key   text primary key,
  value text not null
) without rowid;

-- canonical: the projects in this file, and how each is recognised. Memories about a person hold in all of their
-- projects: they belong to a project of the person's own, which has the person's name in place of a folder. It is empty
-- for the user of the computer.
create table projects (
  id           text primary key,
  name         text not null,
  root         text not null,
  common_dir   text,
  remote       text,
  root_commit  text,
  created_at   text not null,
  last_seen_at text not null,
  person_id    text references projects (id)
) without rowid;
create index projects_remote on projects (remote) where remote is not null;

-- canonical: the folders of a project, for example the worktrees of a repository, whose memory files are cleaned when
-- something is forgotten or erased. `behind`: files there may show what was forgotten while the folder was away.
create table project_roots (
  project_id text not null references projects (id) on delete cascade,
  root       text not null,
  behind     integer not null default 1,
  primary key (project_id, root)
) without rowid;

-- canonical until it expires: which process does which background job
create table leases (
  name       text primary key,
  holder     text not null,
  expires_at text not null,
  progress   text not null default '{}'
) without rowid;

-- canonical: the results of background jobs; `project_id` is null for the jobs of the whole store
create table job_runs (
  id          integer primary key,
  name        text not null,
  started_at  text not null,
  finished_at text not null,
  outcome     text not null,
  detail      text not null default '{}',
  project_id  text
);
create index job_runs_by_name on job_runs (name, id desc);

-- canonical: language model usage per day, for the daily limit
create table model_usage (
  day               text not null,
  purpose           text not null,
  calls             integer not null default 0,
  prompt_tokens     integer not null default 0,
  completion_tokens integer not null default 0,
  refused           integer not null default 0,
  primary key (day, purpose)
) without rowid;

-- canonical: values that applications keep by space and key, such as the items of an agent framework's session.
-- `space` is a path of escaped parts, so that spaces can be nested.
create table items (
  project_id text not null references projects (id) on delete cascade,
  space      text not null,
  key        text not null,
  value      text not null,
  created_at text not null,
  updated_at text not null,
  expires_at text,
  primary key (project_id, space, key)
) without rowid;

-- canonical until done: erasures are recorded before they begin, so that one that was killed is finished later.
-- `memories` are the ids, `texts` what is to be removed everywhere, both as JSON. `texts` is null once it was: then only
-- the file itself has to be written again without its free pages and its log.
create table erasures (
  id         integer primary key,
  project_id text not null,
  memories   text not null,
  texts      text,
  compacted  integer not null default 0
);


-- Memories and messages

-- canonical: memories and messages (type `episode`); `anchors` is a list of `core.anchor.CodeAnchor`
create table memories (
  id                     text primary key,
  project_id             text not null references projects (id),
  type                   text not null,
  content                text not null,
  content_hash           text not null,
  confidence             real not null default 0.8,
  tags                   text not null default '[]',
  related_files          text not null default '[]',
  related_modules        text not null default '[]',
  created_at             text not null,
  event_time             text,
  last_accessed_at       text,
  access_count           integer not null default 0,
  session_id             text,
  phase                  text,
  commit_sha             text,
  scope                  text not null default 'global',
  work_unit_ref          text,
  methodology            text,
  source                 text not null default 'agent_explicit',
  source_role            text,
  target_node_id         text,
  impacted_node_ids      text not null default '[]',
  relations              text not null default '[]',
  decay_half_life_days   real,
  provenance_session_ids text not null default '[]',
  source_ids             text not null default '[]',
  needs_review           integer not null default 0,
  user_verified          integer not null default 0,
  taint                  text,
  citation_text          text,
  pinned                 integer not null default 0,
  deprecated             integer not null default 0,
  deprecated_at          text,
  stale_at               text,
  valid_until            text,
  trust_level_scope      text not null default 'personal',
  chunk_type             text,
  chunk_start_line       integer,
  chunk_end_line         integer,
  context_prefix         text,
  redacted               integer not null default 0,
  fields                 text not null default '{}',
  attributes             text not null default '{}',
  anchors                text not null default '[]'
);
create index memories_by_session on memories (project_id, session_id, created_at) where session_id is not null;
create index memories_to_review on memories (project_id, created_at) where needs_review = 1;
create index memories_by_moment on memories (project_id, coalesce(event_time, created_at));
create index memories_tied on memories (project_id) where relations <> '[]';
-- Messages are many, are never looked up by hash and hardly ever by the end of their id.
create index memories_by_hash on memories (project_id, content_hash) where type <> 'episode';
create index memories_by_short_id on memories (substr(id, -8)) where type <> 'episode';
-- ascending, because rows come in this order: a descending index leaves half of each page empty
create index memories_by_type on memories (project_id, type, created_at);
create index memories_pinned on memories (project_id) where pinned = 1;
create index memories_anchored on memories (project_id) where anchors <> '[]';
-- A search looks up which messages say something outdated: through the superseded memories of their sessions, which are
-- few, and not through all messages of these sessions.
create index memories_superseded on memories (project_id, session_id) where valid_until is not null and type <> 'episode';
-- A search looks up the memories that were stored on purpose, which are few.
create index memories_taught on memories (project_id, type, source)
where type <> 'episode' and source in ('user_taught', 'agent_explicit');
-- Lists of a large store read the first rows of an index, and not every memory.
create index memories_newest on memories (project_id, created_at, id) where type <> 'episode';
create index memories_confident on memories (project_id, confidence, created_at, id) where type <> 'episode';
create index memories_used on memories (project_id, access_count, created_at, id) where type <> 'episode';
create index memories_forgotten on memories (project_id) where deprecated = 1;
-- An import looks up which statements were imported before.
create index memories_imported on memories (project_id, source_ids) where instr(source_ids, '"import:') > 0;

-- canonical: the history of memories: verb and reason; rows are added, never changed
create table memory_events (
  id        integer primary key,
  memory_id text not null references memories (id) on delete cascade,
  at        text not null,
  verb      text not null,
  reason    text not null default '',
  detail    text not null default '{}'
);
create index memory_events_by_memory on memory_events (memory_id, id);

-- canonical: what people and agents changed, so that the latest change can be undone. `undone` is the order in which
-- operations were undone: 0 not undone, 1 undone before this order was stored.
create table operations (
  id         integer primary key,
  project_id text not null references projects (id) on delete cascade,
  verb       text not null,
  undone     integer not null default 0,
  at         text
);
create index operations_by_project on operations (project_id, undone, id);

-- canonical: `before` has the columns of a memory that the operation changed, with their values before it, as JSON;
-- null if the operation added the memory. After an undo, these are the values that a redo brings back.
create table operation_changes (
  operation_id integer not null references operations (id) on delete cascade,
  memory_id    text not null references memories (id) on delete cascade,
  before       text,
  primary key (operation_id, memory_id)
) without rowid;
create index operation_changes_by_memory on operation_changes (memory_id);

-- canonical: how often two memories were found together
create table co_access (
  project_id     text not null,
  a              text not null,
  b              text not null,
  co_count       integer not null default 1,
  last_co_access text not null,
  primary key (project_id, a, b)
) without rowid;
create index co_access_by_b on co_access (b);

-- canonical: the memories and chunks that were supplied to a session, so that nothing is supplied twice; rows expire
create table supplied (
  project_id text not null references projects (id),
  session_id text not null,
  owner_id   text not null,
  at         text not null,
  primary key (project_id, session_id, owner_id)
) without rowid;
create index supplied_by_moment on supplied (at);

-- canonical: the memories that a session was given unasked, and what became of them: used, ignored or contradicted
create table memory_uses (
  project_id text not null references projects (id) on delete cascade,
  session_id text not null,
  memory_id  text not null,
  at         text not null,
  point      text not null,
  outcome    text not null,
  evidence   text not null default '',
  primary key (project_id, session_id, memory_id)
) without rowid;
create index memory_uses_by_memory on memory_uses (memory_id);

-- canonical: the code that memories were bound to, without secrets and compressed, to show later what changed
create table code_texts (
  project_id text not null references projects (id),
  hash       text not null,
  text       blob not null,
  primary key (project_id, hash)
) without rowid;


-- Sessions

-- canonical: conversations and agent runs. `said_to`, `consolidated_to` and `trimmed_to` are ids of messages: the last
-- one, the last consolidated one, the last one left out of the prompt.
create table sessions (
  project_id      text not null references projects (id),
  id              text not null,
  kind            text not null,
  created_at      text not null,
  last_at         text not null,
  title           text,
  said_to         text,
  consolidated_to text,
  consolidated_at text,
  trimmed_to      text,
  recap           text,
  archived_at     text,
  primary key (project_id, id)
) without rowid;

-- canonical: history, one paragraph per consolidated page of a session; HISTORY.md is generated from it
create table history (
  id         text primary key,
  project_id text not null references projects (id),
  session_id text not null,
  at         text not null,
  text       text not null,
  tools      text not null default '[]',
  how        text not null,
  first_id   text not null,
  last_id    text not null
);
create index history_by_moment on history (project_id, at, id);

-- canonical: editable files as they were last written, the base of a three-way merge
create table pages (
  project_id text not null references projects (id),
  name       text not null,
  text       text not null,
  written_at text not null,
  primary key (project_id, name)
) without rowid;


-- Documents

-- canonical: indexed files, as they were when they were read. `mtime_ns` and `size` show that a file did not change
-- without reading it. `front` is its front matter or header and `status` the status in it. Derived: `superseded_by`, the
-- path of its successor; `linked_hash`, the hash of the text whose links are in `document_links`; `decided`, the state
-- from which a decision was learned.
create table documents (
  id               text primary key,
  project_id       text not null references projects (id),
  path             text not null,
  kind             text not null,
  title            text,
  label            text,
  doc_type         text,
  content_hash     text not null,
  bytes            integer not null,
  modified         text,
  indexed_at       text not null,
  confidence       real not null default 0.8,
  access_count     integer not null default 0,
  last_accessed_at text,
  pagerank         real not null default 0,
  redacted         integer not null default 0,
  deprecated       integer not null default 0,
  mtime_ns         integer,
  size             integer,
  status           text,
  front            text not null default '{}',
  superseded_by    text,
  linked_hash      text,
  decided          text,
  unique (project_id, path)
);
create index documents_by_rank on documents (project_id, pagerank);

-- canonical: chunks of documents; each has a passage with kind `document` or `code`
create table chunks (
  id          text primary key,
  document_id text not null references documents (id) on delete cascade,
  ordinal     integer not null,
  heading     text not null default '[]',
  text        text not null,
  start_at    integer not null,
  end_at      integer not null,
  line        integer not null,
  end_line    integer not null
);
create index chunks_by_document on chunks (document_id, ordinal);

-- derived from chunks and documents: references as written; `target_id` is set once such a document is known
create table document_links (
  project_id text not null,
  source_id  text not null references documents (id) on delete cascade,
  target     text not null,
  kind       text not null,
  target_id  text references documents (id) on delete set null,
  primary key (source_id, target, kind)
) without rowid;
create index document_links_by_target on document_links (target_id) where target_id is not null;
create index document_links_by_project on document_links (project_id);

-- canonical: what a cleaning run removed, and all that is needed to restore it. Without `chunk` the whole document was
-- hidden. `hash` is that of the removed text; `twin` is the chunk with the same text that stayed.
create table removed_chunks (
  id            integer primary key,
  project_id    text not null references projects (id),
  run           text not null,
  at            text not null,
  why           text not null,
  path          text not null,
  hash          text not null,
  document_hash text not null,
  twin          text,
  chunk         text
);
create index removed_chunks_by_project on removed_chunks (project_id, path);
create index removed_chunks_by_twin on removed_chunks (twin) where twin is not null;

-- derived from documents: title and path, in a small index of their own: a word that most texts contain is rare in titles
create table document_titles (
  number      integer primary key,
  document_id text not null unique references documents (id) on delete cascade,
  words       text not null
);
create virtual table titles_fts using fts5 (
  words, content = 'document_titles', content_rowid = 'number', tokenize = 'porter unicode61 remove_diacritics 2'
);
create trigger titles_fts_insert after insert on document_titles begin
  insert into titles_fts (rowid, words) values (new.number, new.words);
end;
create trigger titles_fts_delete after delete on document_titles begin
  insert into titles_fts (titles_fts, rowid, words) values ('delete', old.number, old.words);
end;
create trigger titles_fts_update after update of words on document_titles begin
  insert into titles_fts (titles_fts, rowid, words) values ('delete', old.number, old.words);
  insert into titles_fts (rowid, words) values (new.number, new.words);
end;
create trigger documents_titles_insert after insert on documents begin
  insert into document_titles (document_id, words) values (new.id, coalesce(new.title, '') || ' ' || new.path);
end;
create trigger documents_titles_update after update of title, path on documents
when (new.title, new.path) is not (old.title, old.path) begin
  update document_titles set words = coalesce(new.title, '') || ' ' || new.path where document_id = new.id;
end;


-- Search

-- derived from memories and chunks: the passages that search finds; `kind` is the memory's type, `terms` holds what the
-- tokenizer misses: parts of identifiers and pairs of CJK characters. `embedder_id` is the model of the current vector,
-- `vector_size` its size: 0 for a model with one size, and where there is none. `past`: forgotten or superseded.
create table passages (
  id          integer primary key autoincrement,
  project_id  text not null,
  kind        text not null,
  owner_id    text not null unique,
  body        text not null,
  tags        text not null default '',
  files       text not null default '',
  terms       text not null default '',
  priority    integer not null default 1,
  embedder_id integer,
  past        integer not null default 0,
  vector_size integer not null default 0
);
create index passages_waiting on passages (embedder_id, vector_size, priority, id desc);
create trigger memories_past after update of deprecated, valid_until on memories
when (new.deprecated or new.valid_until is not null) is not (old.deprecated or old.valid_until is not null) begin
  update passages set past = new.deprecated or new.valid_until is not null where owner_id = new.id;
end;

-- derived from passages: the files that each passage mentions
create table passage_files (
  project_id text not null,
  path       text not null,
  passage_id integer not null references passages (id) on delete cascade,
  primary key (project_id, path, passage_id)
) without rowid;
create index passage_files_by_passage on passage_files (passage_id);

-- derived from passages: full text
create virtual table passages_fts using fts5 (
  body, tags, files, terms,
  content = 'passages', content_rowid = 'id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
create trigger passages_fts_insert after insert on passages begin
  insert into passages_fts (rowid, body, tags, files, terms)
  values (new.id, new.body, new.tags, new.files, new.terms);
end;
create trigger passages_fts_delete after delete on passages begin
  insert into passages_fts (passages_fts, rowid, body, tags, files, terms)
  values ('delete', old.id, old.body, old.tags, old.files, old.terms);
end;
create trigger passages_fts_update after update of body, tags, files, terms on passages begin
  insert into passages_fts (passages_fts, rowid, body, tags, files, terms)
  values ('delete', old.id, old.body, old.tags, old.files, old.terms);
  insert into passages_fts (rowid, body, tags, files, terms)
  values (new.id, new.body, new.tags, new.files, new.terms);
end;

-- derived from passages and memories: word bags, four bytes per word, and what weighing a candidate needs of its memory:
-- type, role and session. A query reads one row per candidate, and no texts.
create table bags (
  passage_id integer primary key references passages (id) on delete cascade,
  bag        blob not null,
  kind       text,
  role       text,
  session    text
);
create trigger memories_traits_update after update of type, source_role, session_id on memories
when (new.type, new.source_role, new.session_id) is not (old.type, old.source_role, old.session_id) begin
  update bags set kind = new.type, role = new.source_role, session = new.session_id
  where passage_id = (select id from passages where owner_id = new.id);
end;

-- derived from passages: every plain word of four letters or more, each once, to correct misspelt ones; a word may outlive
-- its passages. Beside the full-text index, because looking up a spelling there costs ten times as much, and because it
-- contains stems. The words of a passage are added with its bag.
create table vocabulary (
  word text primary key
) without rowid;

-- splits a passage at blanks, dashes and slashes, and trims punctuation
create view passage_words as
select passage_id, word from (
  select p.id as passage_id, trim(lower(split.value), '.,;:!?()[]{}<>"''`*_“”„«»‘’…|=#') as word
  from passages p, json_each('[' || replace(json_quote(
    replace(replace(replace(replace(p.body, char(10), ' '), char(9), ' '), '-', ' '), '/', ' ')), ' ', '","') || ']') split
  where length(split.value) > 3)
where length(word) between 4 and 24 and word not glob '*[^a-zÀ-ɏͰ-ӿ]*';
create trigger vocabulary_from_bag after insert on bags begin
  insert or ignore into vocabulary select word from passage_words where passage_id = new.passage_id;
end;

-- derived: the embedding models; vectors of different models are never compared. `emptied`: all vectors of the model were
-- deleted; its row stays, so that no number is used twice. `cosines`: how the cosines of the model are distributed, as
-- JSON; null if its card says so or nothing was measured yet.
create table embedders (
  id         integer primary key,
  name       text not null unique,
  dimensions integer not null,
  emptied    integer not null default 0,
  cosines    text
);

-- derived from passages by a model: float16 vectors. `seq` grows with every change, so that a reader needs only the
-- rows after the last one it has read. A larger size of the same model replaces a smaller one.
create table vectors (
  seq         integer primary key autoincrement,
  passage_id  integer not null references passages (id) on delete cascade,
  embedder_id integer not null references embedders (id),
  vector      blob not null,
  size        integer not null default 0,
  unique (passage_id, embedder_id)
);
-- writes the vector again with a new `seq`, by which processes that hold vectors in memory notice the change
create trigger passages_past after update of past on passages when new.past <> old.past begin
  insert or replace into vectors (passage_id, embedder_id, vector, size)
  select passage_id, embedder_id, vector, size from vectors where passage_id = new.id;
end;

-- derived from passages by a model: the packed vectors of a message's sentences (`store/vectors/four_bits.py`). A row
-- without them waits for the background; `embedder_id` and `size` say which model made them.
create table sentences (
  passage_id  integer primary key references passages (id) on delete cascade,
  embedder_id integer references embedders (id),
  size        integer not null default 0,
  vectors     blob
);
create index sentences_waiting on sentences (embedder_id, size, passage_id desc);
-- A message is queued with its word bag, which the background makes: storing it must stay fast.
create trigger sentences_from_bag after insert on bags when new.kind = 'episode' and new.role is not 'assistant' begin
  insert or ignore into sentences (passage_id)
  select id from passages where id = new.passage_id and length(body) > 160;
end;
create trigger passages_traits_update after update of body, tags, files on passages begin
  delete from bags where passage_id = new.id;
  delete from sentences where passage_id = new.id;
end;

-- derived: embedding cache, so that the same text is embedded at most once a week
create table embedding_cache (
  key        text primary key,
  embedding  blob not null,
  model_id   text not null,
  dims       integer not null,
  expires_at text not null
) without rowid;
create index embedding_cache_by_expiry on embedding_cache (expires_at);


-- Entities: the people and things that memories name

-- canonical: entities. `by_hand`: a person named or corrected it; of two people with one first name, that one is meant.
-- `relation` is how the speaker is related to a person: sister, colleague. The triggers below maintain `mentions`, the
-- number of memories that name it and hold: neither forgotten nor replaced.
create table entities (
  number     integer primary key,
  id         text not null unique,
  project_id text not null references projects (id),
  name       text not null,
  type       text not null,
  label      text not null default '',
  summary    text,
  protected  integer not null default 0,
  mentions   integer not null default 0,
  created_at text not null,
  by_hand    integer not null default 0,
  relation   text
);
create index entities_by_mentions on entities (project_id, mentions desc, number);

-- canonical: every name of an entity, its own (`alias` 0) and its aliases; `key` is the normalised name for lookup
create table entity_names (
  project_id text not null,
  key        text not null,
  entity     integer not null references entities (number) on delete cascade,
  name       text not null,
  alias      integer not null default 0,
  primary key (project_id, key, entity)
) without rowid;
create index entity_names_by_entity on entity_names (entity);

-- derived from entity_names: the words, without case and accents, by which each name is looked up
create table name_words (
  project_id text not null,
  word       text not null,
  key        text not null,
  entity     integer not null references entities (number) on delete cascade,
  primary key (project_id, word, key, entity)
) without rowid;
create index name_words_by_entity on name_words (entity);

-- canonical: names whose older memories are not linked yet
create table pending_names (
  entity integer not null references entities (number) on delete cascade,
  key    text not null,
  primary key (entity, key)
) without rowid;

-- canonical: the entities that each memory names
create table memory_entities (
  entity    integer not null references entities (number) on delete cascade,
  memory_id text not null references memories (id) on delete cascade,
  primary key (entity, memory_id)
) without rowid;
create index memory_entities_by_memory on memory_entities (memory_id);
create trigger memory_entities_added after insert on memory_entities
when exists (select 1 from memories m where m.id = new.memory_id and m.deprecated = 0 and m.valid_until is null) begin
  update entities set mentions = mentions + 1 where number = new.entity;
end;
create trigger memory_entities_removed after delete on memory_entities
when exists (select 1 from memories m where m.id = old.memory_id and m.deprecated = 0 and m.valid_until is null) begin
  update entities set mentions = mentions - 1 where number = old.entity;
end;
-- Before: when the links of a deleted memory are deleted, the memory is gone.
create trigger memory_entities_deleted before delete on memories
when old.deprecated = 0 and old.valid_until is null begin
  update entities set mentions = mentions - 1
  where number in (select entity from memory_entities where memory_id = old.id);
end;
create trigger memory_entities_changed after update of deprecated, valid_until on memories
when (old.deprecated = 0 and old.valid_until is null) <> (new.deprecated = 0 and new.valid_until is null) begin
  update entities set mentions = mentions + iif(new.deprecated = 0 and new.valid_until is null, 1, -1)
  where number in (select entity from memory_entities where memory_id = new.id);
end;

-- canonical: memories whose names were extracted a second time, when, and by which reader
create table enriched (
  memory_id text primary key references memories (id) on delete cascade,
  at        text not null,
  reader    text not null
) without rowid;

-- canonical: merged entities as they were before, with the memories that named them; `gained_*` is what the other
-- entity has only through this merge
create table entity_merges (
  merged_id       text primary key,
  project_id      text not null references projects (id),
  kept_id         text not null,
  at              text not null,
  name            text not null,
  type            text not null,
  label           text not null,
  summary         text,
  protected       integer not null,
  created_at      text not null,
  aliases         text not null,
  memories        text not null,
  gained_names    text not null,
  gained_memories text not null,
  gained_summary  integer not null,
  relation        text
) without rowid;
create index entity_merges_by_project on entity_merges (project_id, at);


-- The code graph: files, symbols, and which depends on which

-- derived from the project's files. `record` is what a file says by itself, `interface` the hash of the part that other
-- files can depend on. `stale`: not resolved since the file, or one it depends on, changed. `external` counts the places
-- that lead out of the project. `entry_points`, a list of `core.code.EntryPoint`: where the program is entered from
-- outside.
create table code_files (
  id           integer primary key,
  project_id   text not null references projects (id),
  path         text not null,
  language     text not null,
  lines        integer not null,
  size         integer not null,
  mtime_ns     integer not null,
  hash         text not null,
  version      integer not null,
  interface    text not null,
  record       blob not null,
  stale        integer not null default 1,
  external     integer not null default 0,
  entry_points text not null default '[]',
  unique (project_id, path)
);
create index code_files_stale on code_files (project_id) where stale = 1;

-- derived from code_files: `name` is qualified, `short` is its last part. `hash` identifies the text of a symbol whatever
-- its name and blank space.
create table code_symbols (
  file_id    integer not null references code_files (id) on delete cascade,
  name       text not null,
  kind       text not null,
  start_line integer not null,
  end_line   integer not null,
  hash       text not null default '',
  short      text not null default '',
  primary key (file_id, start_line, name)
) without rowid;
create index code_symbols_by_hash on code_symbols (hash);
create index code_symbols_by_short on code_symbols (short);

-- derived from code_files: `source` in a file depends on `target` in another; '' is the file itself
create table code_edges (
  file_id    integer not null references code_files (id) on delete cascade,
  source     text not null,
  target_id  integer not null references code_files (id) on delete cascade,
  target     text not null,
  type       text not null,
  confidence text not null,
  origin     text not null,
  line       integer not null,
  count      integer not null,
  primary key (file_id, source, target_id, target, type, confidence, origin)
) without rowid;
create index code_edges_by_target on code_edges (target_id, target);

-- derived from code_edges: which files depend on which. `types` lists the types of the edges between them, each with its
-- best confidence: `calls exact,uses inferred`
create table code_file_edges (
  target_id integer not null references code_files (id) on delete cascade,
  file_id   integer not null references code_files (id) on delete cascade,
  types     text not null,
  primary key (target_id, file_id)
) without rowid;
create index code_file_edges_by_file on code_file_edges (file_id, target_id, types);

-- derived from code_files: expressions that lead to nothing known
create table code_unresolved (
  file_id    integer not null references code_files (id) on delete cascade,
  expression text not null,
  type       text not null,
  why        text not null,
  line       integer not null,
  count      integer not null,
  primary key (file_id, expression, type, why)
) without rowid;

-- derived from code_files: the files that were consulted to resolve a file
create table code_consulted (
  consulted_id integer not null references code_files (id) on delete cascade,
  file_id      integer not null references code_files (id) on delete cascade,
  primary key (consulted_id, file_id)
) without rowid;
create index code_consulted_by_file on code_consulted (file_id);

-- derived from code_files: hashes of the names of files and folders that matter to a file, whether they exist or not
create table code_lookups (
  name_hash integer not null,
  file_id   integer not null references code_files (id) on delete cascade,
  primary key (name_hash, file_id)
) without rowid;
create index code_lookups_by_file on code_lookups (file_id);

-- derived: `generation` grows with every change, so that a copy in memory knows when it is out of date. `counted_commit`:
-- the commit up to which changes were counted. `folders`: those that the latest run over a whole project found files in,
-- as JSON, with the time of their latest change: in a folder that changed later, there may be new files.
create table code_index (
  project_id     text primary key references projects (id),
  generation     integer not null,
  configuration  text not null default '',
  indexed_at     text,
  counted_commit text not null default '',
  folders        text not null default ''
);

-- derived from git: the number of commits of a file, and their weight, of which recent commits have more
create table code_changes (
  project_id text not null references projects (id),
  path       text not null,
  commits    integer not null,
  weight     real not null,
  primary key (project_id, path)
) without rowid;

-- derived from git: the commits that changed two files; in both directions, for the closest partners of each file
create table code_co_changes (
  project_id text not null references projects (id),
  path       text not null,
  other      text not null,
  commits    integer not null,
  weight     real not null,
  primary key (project_id, path, other)
) without rowid;


-- Observations of agents' sessions

-- canonical: what was observed. `prompt` is what the person asked for first, `later` what after it. `untrusted`: the
-- untrusted tool whose output the session had read and the step of that, as JSON.
create table observed_sessions (
  project_id text not null references projects (id) on delete cascade,
  session_id text not null,
  at         text not null,
  steps      integer not null,
  branches   text not null default '[]',
  prompt     text not null default '',
  later      text not null default '',
  untrusted  text,
  primary key (project_id, session_id)
) without rowid;

-- canonical: the files that a session read and edited. `edit_step` is the step of the first edit: what was edited after
-- untrusted output was read is tainted.
create table observed_files (
  project_id text not null,
  session_id text not null,
  path       text not null,
  first_step integer not null,
  reads      integer not null,
  edits      integer not null,
  edit_step  integer not null default 0,
  primary key (project_id, session_id, path),
  foreign key (project_id, session_id) references observed_sessions (project_id, session_id) on delete cascade
) without rowid;

-- canonical: `key` identifies what was seen, the same in every session; `vals` fill the signal's text, `steps` are its
-- evidence
create table observations (
  project_id text not null,
  signal     text not null,
  key        text not null,
  session_id text not null,
  files      text not null default '[]',
  vals       text not null default '{}',
  steps      text not null default '[]',
  taint      text,
  primary key (project_id, signal, key, session_id),
  foreign key (project_id, session_id) references observed_sessions (project_id, session_id) on delete cascade
) without rowid;
create index observations_by_session on observations (project_id, session_id);

-- canonical: the memory that an observation became
create table promotions (
  project_id text not null references projects (id) on delete cascade,
  signal     text not null,
  key        text not null,
  memory_id  text not null references memories (id) on delete cascade,
  sessions   integer not null,
  primary key (project_id, signal, key)
) without rowid;
create index promotions_by_memory on promotions (memory_id);
