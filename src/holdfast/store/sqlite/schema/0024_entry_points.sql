-- Code files say where the program is entered from outside.

-- derived from the file: a list of `core.code.EntryPoint`
alter table code_files add column entry_points text not null default '[]';
-- The files are read again, to fill the column.
update code_files set version = 0;
