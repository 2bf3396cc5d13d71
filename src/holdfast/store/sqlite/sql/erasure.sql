-- Removes the text of erased memories from every column that can repeat it. A test checks that no column is missing.

-- The project and the memories of the person; if one that is or was personal is erased, all projects of the person.
-- name: projects
select id from projects where id = :project
union select person_id from projects where id = :project and person_id is not null
union select p.id from projects p join projects o on o.id = :project and o.person_id = p.person_id
where exists (select 1 from json_each(:ids) i join memories m on m.id = i.value where m.project_id = p.person_id)
  or exists (
    select 1 from json_each(:ids) i join memory_events e on e.memory_id = i.value
    where e.verb = 'personal' or (select m.project_id from memories m where m.id = iif(json_valid(detail), detail, '{}') ->> 'by') = p.person_id)

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
  repeats(m.content) or repeats(m.tags) or repeats(m.questions) or repeats(m.fields) or repeats(m.attributes) or repeats(m.citation_text))

-- name: record
insert into erasures (project_id, memories, texts) values (:project, :memories, :texts)

-- name: recorded
select id, project_id, memories, texts, compacted from erasures order by id

-- name: forget_texts
update erasures set texts = null where id = :id

-- name: compacted
update erasures set compacted = 1 where id = :id

-- name: finish
delete from erasures where id = :id

-- The reasons that somebody gave for changing or replacing an erased memory are about its text.
-- name: own_events
update memory_events set reason = '', detail = '{}'
where memory_id in (select value from json_each(:ids))
  or iif(json_valid(detail), detail, '{}') ->> 'by' in (select value from json_each(:ids))
  or memory_id in (
    select m.id from memories m where m.project_id in (select value from json_each(:projects))
    and iif(json_valid(m.attributes), m.attributes, '{}') ->> 'proposal_for' in (select value from json_each(:ids)))

-- name: events
update memory_events set reason = clean(reason), detail = clean_json(detail)
where memory_id in (select id from memories where project_id in (select value from json_each(:projects)))

-- name: history
update history set text = clean(text) where project_id in (select value from json_each(:projects))

-- name: sessions
update sessions set title = clean(title), recap = clean(recap) where project_id in (select value from json_each(:projects))

-- name: pages
update pages set text = clean_page(text) where project_id in (select value from json_each(:projects))

-- name: items
update items set value = clean_json(value) where project_id in (select value from json_each(:projects))

-- Texts that an application added as documents. Those that were read from files are the person's own.
-- name: added_titles
update documents set title = clean(title)
where project_id in (select value from json_each(:projects)) and mtime_ns is null and clean(title) <> title

-- name: added_passages
update passages set body = clean(body), terms = '', tags = '', embedder_id = null
where clean(body) <> body and owner_id in (
  select c.id from chunks c join documents d on d.id = c.document_id
  where d.project_id in (select value from json_each(:projects)) and d.mtime_ns is null)

-- name: added_vectors
delete from vectors where passage_id in (
  select p.id from passages p join chunks c on c.id = p.owner_id join documents d on d.id = c.document_id
  where d.project_id in (select value from json_each(:projects)) and d.mtime_ns is null and p.embedder_id is null)

-- name: added_chunks
update chunks set text = clean(text), heading = clean_json(heading)
where document_id in (
  select id from documents where project_id in (select value from json_each(:projects)) and mtime_ns is null)
and (clean(text) <> text or clean_json(heading) <> heading)

-- An operation that changed only erased memories cannot be undone any more.
-- name: own_operations
delete from operations where id in (
  select operation_id from operation_changes group by operation_id
  having sum(memory_id not in (select value from json_each(:ids))) = 0)

-- name: own_changes
delete from operation_changes where memory_id in (select value from json_each(:ids))

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

-- Observations and promotions are identified by what was seen, which may be the text itself.
-- name: observed_texts
delete from observations where project_id in (select value from json_each(:projects)) and clean(key) <> key

-- name: promotions
delete from promotions where project_id in (select value from json_each(:projects))
  and (clean(key) <> key or memory_id in (select value from json_each(:ids)))

-- name: mentions
delete from memory_entities where memory_id in (select value from json_each(:ids))

-- name: unmentioned
delete from entities
where project_id in (select value from json_each(:projects)) and by_hand = 0 and protected = 0 and summary is null
  and not exists (select 1 from memory_entities e where e.entity = entities.number)

-- The names that were merged into an entity which is gone.
-- name: unmerged
delete from entity_merges where project_id in (select value from json_each(:projects))
  and kept_id not in (select id from entities) and kept_id not in (select merged_id from entity_merges)

-- name: cache
delete from embedding_cache

-- name: word
delete from vocabulary
where word = :word and not exists (select 1 from passages_fts where passages_fts match :match)

-- name: vectors
delete from vectors where passage_id in (
  select id from passages where owner_id in (select value from json_each(:ids)) and embedder_id is null)
