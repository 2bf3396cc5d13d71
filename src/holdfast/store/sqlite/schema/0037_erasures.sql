-- Erasures are recorded before they begin, so that one that was killed is finished later.

-- canonical until done: `memories` are the ids, `texts` what is to be removed everywhere, both as JSON. `texts` is null
-- once it was: then only the file itself has to be written again without its free pages and its log.
create table erasures (
  id         integer primary key,
  project_id text not null,
  memories   text not null,
  texts      text,
  compacted  integer not null default 0
);

-- canonical: the folders of a project, for example the worktrees of a repository, whose memory files are cleaned when
-- something is forgotten or erased. `behind`: files there may show what was forgotten while the folder was away.
create table project_roots (
  project_id text not null references projects (id) on delete cascade,
  root       text not null,
  behind     integer not null default 1,
  primary key (project_id, root)
) without rowid;
insert into project_roots (project_id, root, behind)
select id, case instr(root, '::') when 0 then root else substr(root, 1, instr(root, '::') - 1) end, 0 from projects
where root not like '::%';
