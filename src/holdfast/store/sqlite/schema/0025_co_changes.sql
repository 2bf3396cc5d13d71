-- Which files change in the same commits, as far as git remembers.

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

-- the commit up to which they were counted
alter table code_index add column counted_commit text not null default '';
