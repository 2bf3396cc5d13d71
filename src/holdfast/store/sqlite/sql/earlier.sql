-- Fills what a schema from before the first release, `:version`, did not have. Run in this order, once, after its rows
-- were copied.

-- name: last_messages
update sessions set said_to = (
  select m.id from memories m where m.project_id = sessions.project_id and m.session_id = sessions.id
  and m.type = 'episode' order by m.rowid desc limit 1)
where :version < 5

-- name: entities_by_hand
update entities set by_hand = 1
where :version < 17 and (protected = 1 or summary is not null
  or number in (select entity from entity_names where alias = 1))

-- name: names_to_link
insert or ignore into pending_names (entity, key)
select n.entity, n.key from entity_names n join entities e on e.number = n.entity
where :version < 17 and (e.type in ('person', 'organization', 'location', 'project') or n.alias = 1)

-- name: people
insert or ignore into projects (id, name, root, created_at, last_seen_at)
select case instr(root, '::') when 0 then '::' else substr(root, instr(root, '::')) end, 'personal',
  case instr(root, '::') when 0 then '::' else substr(root, instr(root, '::')) end, created_at, last_seen_at
from projects where :version < 28

-- name: people_of_projects
update projects set person_id = case instr(root, '::') when 0 then '::' else substr(root, instr(root, '::')) end
where :version < 28 and root not like '::%'

-- Everything was marked as personal, which said nothing.
-- name: visibility
update memories set trust_level_scope = 'project' where :version < 28 and trust_level_scope = 'personal'

-- name: project_folders
insert or ignore into project_roots (project_id, root, behind)
select id, case instr(root, '::') when 0 then root else substr(root, 1, instr(root, '::') - 1) end, 0 from projects
where root not like '::%'
