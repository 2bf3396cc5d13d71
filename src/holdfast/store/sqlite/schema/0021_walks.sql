-- The code graph can be walked from file to file, and takes less space.

-- derived from code_edges: which files depend on which. `types` lists the types of the edges between them, each with its
-- best confidence: `calls exact,uses inferred`
create table code_file_edges (
  target_id integer not null references code_files (id) on delete cascade,
  file_id   integer not null references code_files (id) on delete cascade,
  types     text not null,
  primary key (target_id, file_id)
) without rowid;
create index code_file_edges_by_file on code_file_edges (file_id, target_id, types);

-- derived from code_files: hashes of the names of files and folders that matter to a file, whether they exist or not
drop table code_lookups;
create table code_lookups (
  name_hash integer not null,
  file_id   integer not null references code_files (id) on delete cascade,
  primary key (name_hash, file_id)
) without rowid;
create index code_lookups_by_file on code_lookups (file_id);

-- The files are read again, to fill these tables.
delete from code_consulted;
delete from code_unresolved;
delete from code_edges;
delete from code_symbols;
delete from code_files;
