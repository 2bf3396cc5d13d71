-- The code graph: files, symbols, and which depends on which.

-- derived from the project's files. `record` is what a file says by itself, `interface` the hash of the part that other
-- files can depend on. `stale`: not resolved since the file, or one it depends on, changed. `external` counts the places
-- that lead out of the project.
create table code_files (
  id         integer primary key,
  project_id text not null references projects (id),
  path       text not null,
  language   text not null,
  lines      integer not null,
  size       integer not null,
  mtime_ns   integer not null,
  hash       text not null,
  version    integer not null,
  interface  text not null,
  record     blob not null,
  stale      integer not null default 1,
  external   integer not null default 0,
  unique (project_id, path)
);
create index code_files_stale on code_files (project_id) where stale = 1;

-- derived from code_files: `name` is qualified
create table code_symbols (
  file_id    integer not null references code_files (id) on delete cascade,
  name       text not null,
  kind       text not null,
  start_line integer not null,
  end_line   integer not null,
  primary key (file_id, start_line, name)
) without rowid;

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

-- derived from code_files: names of files and folders that matter to a file, whether they exist or not
create table code_lookups (
  project_id text not null,
  name       text not null,
  file_id    integer not null references code_files (id) on delete cascade,
  primary key (project_id, name, file_id)
) without rowid;
create index code_lookups_by_file on code_lookups (file_id);

-- derived: `generation` grows with every change, so that a copy in memory knows when it is out of date
create table code_index (
  project_id    text primary key references projects (id),
  generation    integer not null,
  configuration text not null default '',
  indexed_at    text
);
