-- Memories bound to code: the files and symbols a memory is about, as they were when it was stored.

-- canonical: a list of `core.anchor.CodeAnchor`
alter table memories add column anchors text not null default '[]';
create index memories_anchored on memories (project_id) where anchors <> '[]';

-- canonical: the code that memories were bound to, without secrets and compressed, to show later what changed
create table code_texts (
  project_id text not null references projects (id),
  hash       text not null,
  text       blob not null,
  primary key (project_id, hash)
) without rowid;

-- `hash` identifies the text of a symbol whatever its name and blank space; `short` is the last part of its name
alter table code_symbols add column hash text not null default '';
alter table code_symbols add column short text not null default '';
create index code_symbols_by_hash on code_symbols (hash);
create index code_symbols_by_short on code_symbols (short);

-- The files are read again, to fill these columns.
delete from code_lookups;
delete from code_file_edges;
delete from code_consulted;
delete from code_unresolved;
delete from code_edges;
delete from code_symbols;
delete from code_files;
