-- Memories about a person hold in all of their projects: they belong to a project of the person's own, which has the
-- person's name in place of a folder. It is empty for the user of the computer.
alter table projects add column person_id text references projects (id);

insert or ignore into projects (id, name, root, created_at, last_seen_at)
select distinct case instr(root, '::') when 0 then '::' else substr(root, instr(root, '::')) end as person, 'personal',
  case instr(root, '::') when 0 then '::' else substr(root, instr(root, '::')) end, created_at, last_seen_at
from projects;

update projects set person_id = case instr(root, '::') when 0 then '::' else substr(root, instr(root, '::')) end
where root not like '::%';

-- Until now everything was marked as personal, which said nothing.
update memories set trust_level_scope = 'project' where trust_level_scope = 'personal';
