-- The folders that the latest run over a whole project found files in, as JSON, with the time of their latest change:
-- in a folder that changed later, there may be new files.
alter table code_index add column folders text not null default '';
