-- Removes the text of erased memories from every column that can repeat it. A test checks that no column is missing.

-- The project and the memories of the person; if one of these is erased, all projects of the person.
-- name: projects
select id from projects where id = :project
union select person_id from projects where id = :project and person_id is not null
union select p.id from projects p join projects o on o.id = :project and o.person_id = p.person_id
where exists (select 1 from json_each(:ids) i join memories m on m.id = i.value where m.project_id = p.person_id)

-- name: connected
select {{columns}} from memories m where m.project_id in (select value from json_each(:projects)) and (
  m.id in (select value from json_each(:ids))
  or exists (select 1 from json_each(m.source_ids) s where s.value in (select value from json_each(:ids)))
  or m.id in (
    select s.value from memories o, json_each(o.source_ids) s where o.id in (select value from json_each(:ids)))
  or exists (
    select 1 from json_each(iif(json_valid(m.relations), m.relations, '[]')) r
    where r.value ->> 'kind' = 'supersedes' and r.value ->> 'memory' in (select value from json_each(:ids)))
  or m.id in (
    select r.value ->> 'memory' from memories o, json_each(iif(json_valid(o.relations), o.relations, '[]')) r
    where o.id in (select value from json_each(:ids)) and r.value ->> 'kind' = 'supersedes'))

-- name: repeating
select {{columns}} from memories m where m.project_id in (select value from json_each(:projects)) and (
  repeats(m.content) or repeats(m.tags) or repeats(m.fields) or repeats(m.attributes) or repeats(m.citation_text))

-- name: events
update memory_events set reason = clean(reason), detail = clean_json(detail)
where memory_id in (select id from memories where project_id in (select value from json_each(:projects)))

-- name: history
update history set text = clean(text) where project_id in (select value from json_each(:projects))

-- name: sessions
update sessions set title = clean(title), recap = clean(recap) where project_id in (select value from json_each(:projects))

-- name: pages
update pages set text = clean(text) where project_id in (select value from json_each(:projects))

-- name: operations
update operation_changes set before = clean_json(before)
where before is not null and operation_id in (select id from operations where project_id in (select value from json_each(:projects)))

-- name: entities
update entities set summary = clean(summary) where project_id in (select value from json_each(:projects)) and summary is not null

-- name: merges
update entity_merges set summary = clean(summary) where project_id in (select value from json_each(:projects)) and summary is not null

-- name: observed
update observed_sessions set prompt = clean(prompt), later = clean(later) where project_id in (select value from json_each(:projects))

-- name: observations
update observations set vals = clean_json(vals), steps = clean_json(steps) where project_id in (select value from json_each(:projects))

-- name: mentions
delete from memory_entities where memory_id in (select value from json_each(:ids))

-- name: unmentioned
delete from entities
where project_id in (select value from json_each(:projects)) and by_hand = 0 and protected = 0 and summary is null
  and not exists (select 1 from memory_entities e where e.entity = entities.number)

-- name: cache
delete from embedding_cache

-- name: word
delete from vocabulary
where word = :word and not exists (select 1 from passages_fts where passages_fts match :match)

-- name: vectors
delete from vectors where passage_id in (
  select id from passages where owner_id in (select value from json_each(:ids)) and embedder_id is null)
