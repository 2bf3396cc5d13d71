-- name: known
select n.key, n.alias, e.number, e.type, e.protected
from json_each(:keys) k
cross join entity_names n on n.project_id = :project and n.key = k.value
cross join entities e on e.number = n.entity
order by n.alias, e.mentions desc, e.number

-- name: insert_entity
insert into entities (id, project_id, name, type, label, created_at)
values (:id, :project, :name, :type, :label, :at)

-- name: insert_name
insert or replace into entity_names (project_id, key, entity, name, alias)
values (:project, :key, :entity, :name, :alias)

-- name: insert_name_word
insert or ignore into name_words (project_id, word, key, entity) values (:project, :word, :key, :entity)

-- name: names_without_words
select n.project_id as project, n.key, n.entity, n.name from entity_names n
where not exists (
  select 1 from name_words w where w.entity = n.entity and w.key = n.key and w.project_id = n.project_id)

-- name: insert_pending_name
insert or ignore into pending_names (entity, key) values (:entity, :key)

-- name: pending_own_name
insert or ignore into pending_names (entity, key)
select entity, key from entity_names where entity = :number and alias = 0

-- Names of an unknown kind that enough memories have by now, and had not before: they are looked for in older ones.
-- name: pending_established
insert or ignore into pending_names (entity, key)
select n.entity, n.key from json_each(:numbers) k
cross join entities e on e.number = k.value and e.label = :label and e.mentions >= :enough
  and e.mentions < :enough + :added
cross join entity_names n on n.entity = e.number and n.alias = 0

-- name: pending_all_names
insert or ignore into pending_names (entity, key)
select n.entity, n.key from entities e cross join entity_names n on n.entity = e.number where e.id = :id

-- The names that the words of a text may begin; at most so many, since a hostile registry may repeat one word.
-- name: registered
select n.name, n.alias, e.id as entity, e.name as entity_name, e.type, e.label, e.by_hand, e.mentions
from json_each(:words) k
cross join name_words w on w.project_id = :project and w.word = k.value
cross join entity_names n on n.project_id = w.project_id and n.key = w.key and n.entity = w.entity
cross join entities e on e.number = w.entity
limit :limit

-- name: pending_names
select n.name, n.alias, e.id as entity, e.name as entity_name, e.type, e.label, e.by_hand, e.mentions, e.project_id, n.key
from pending_names q
join entity_names n on n.entity = q.entity and n.key = q.key
join entities e on e.number = q.entity
order by q.entity, q.key limit :limit

-- name: any_pending_names
select 1 from pending_names limit 1

-- name: delete_pending_name
delete from pending_names where key = :key and entity = (select number from entities where id = :id)

-- name: delete_stray_pending_names
delete from pending_names where not exists (
  select 1 from entity_names n where n.entity = pending_names.entity and n.key = pending_names.key)

-- name: memories_with_words
select m.id from passages_fts f
cross join passages p on p.id = f.rowid and p.project_id in {{seen}}
cross join memories m on m.id = p.owner_id and m.type <> 'reflection'
where passages_fts match :query order by m.rowid

-- For names of scripts without spaces, which the full-text index does not split.
-- name: memories_containing
select m.id from memories m
where m.project_id in {{seen}} and m.type <> 'reflection' and instr(m.content, :text) order by m.rowid

-- name: contents
select m.id, m.content from json_each(:ids) i cross join memories m on m.id = i.value

-- name: set_by_hand
update entities set by_hand = 1 where number = :number

-- name: set_relation
update entities set relation = :relation where number = :number and relation is null

-- name: insert_link
insert or ignore into memory_entities (entity, memory_id) values (?, ?)

-- name: present
select m.id from json_each(:ids) i cross join memories m on m.id = i.value and m.project_id in {{seen}}

-- name: stamp
insert or replace into enriched (memory_id, at, reader) values (?, ?, ?)

-- name: narrow
update entities set type = :type, label = :label where number = :number

-- name: update_entity
update entities set type = :type, label = :label, summary = :summary, protected = :protected, relation = :relation,
  by_hand = max(by_hand, :by_hand)
where id = :id

-- name: number
select number from entities where id = :id

-- name: set_name
update entities set name = :name where number = :number

-- name: names_become_aliases
update entity_names set alias = 1 where entity = :number

-- The merge to be stored: the merged entity, and what the other one gains.
-- name: merging
select {{entity_columns}}, k.id as kept_id, :at as at,
  (select json_group_array(l.memory_id) from memory_entities l where l.entity = e.number) as memories,
  (select json_group_array(n.name) from entity_names n where n.entity = e.number
   and n.key not in (select own.key from entity_names own where own.entity = k.number)) as gained_names,
  (select json_group_array(l.memory_id) from memory_entities l where l.entity = e.number
   and l.memory_id not in (select own.memory_id from memory_entities own where own.entity = k.number))
  as gained_memories,
  k.summary is null and e.summary is not null as gained_summary
from entities e, entities k where e.number = :merged and k.number = :kept

-- name: put_merge
insert or replace into entity_merges (merged_id, project_id, kept_id, at, name, type, label, summary, protected,
  created_at, aliases, memories, gained_names, gained_memories, gained_summary, relation)
values (:id, :project, :kept, :at, :name, :type, :label, :summary, :protected, :created_at, :aliases, :memories,
  :gained_names, :gained_memories, :gained_summary, :relation)

-- name: delete_merge
delete from entity_merges where merged_id = :id

-- name: merges
select {{merge_columns}} from entity_merges g where g.project_id = :project order by g.at desc, g.merged_id desc

-- name: merges_into
select {{merge_columns}} from entity_merges g where g.project_id = :project and g.kept_id = :kept order by g.merged_id

-- name: link_present
insert or ignore into memory_entities (entity, memory_id)
select e.number, m.id from entities e cross join json_each(:ids) i
cross join memories m on m.id = i.value and m.project_id in {{seen}}
where e.id = :id

-- name: give_back_names
delete from entity_names where entity = :number and alias = 1 and key in (select value from json_each(:keys))

-- name: give_back_links
delete from memory_entities where entity = :number and memory_id in (select value from json_each(:ids))

-- name: give_back_summary
update entities set summary = null where number = :number and summary = :summary

-- name: move_names
insert or ignore into entity_names (project_id, key, entity, name, alias)
select project_id, key, :kept, name, 1 from entity_names where entity = :merged

-- name: move_name_words
insert or ignore into name_words (project_id, word, key, entity)
select project_id, word, key, :kept from name_words where entity = :merged

-- name: move_pending_names
insert or ignore into pending_names (entity, key) select :kept, key from entity_names where entity = :merged

-- name: move_links
insert or ignore into memory_entities (entity, memory_id)
select :kept, memory_id from memory_entities where entity = :merged

-- name: take_summary
update entities set summary = coalesce(summary, (select summary from entities where number = :merged)),
  relation = coalesce(relation, (select relation from entities where number = :merged))
where number = :kept

-- name: delete_entity
delete from entities where number = :number

-- name: entity
select {{entity_columns}} from entities e where e.id = :id

-- name: find
select {{entity_columns}} from entity_names n cross join entities e on e.number = n.entity
where n.project_id = :project and n.key = :key
order by n.alias, e.mentions desc, e.number

-- name: like
select e.name from entities e
where e.project_id = :project and instr(lower(e.name), :text)
order by e.mentions desc, e.number limit :limit

-- name: entities
select {{entity_columns}} from entities e
where e.project_id = :project and e.mentions > 0 and (:type is null or e.type = :type)
order by e.mentions desc, e.number limit :limit

-- name: of
select {{entity_columns}} from memory_entities l cross join entities e on e.number = l.entity
where l.memory_id = :memory order by e.number

-- name: memories
select {{columns}} from entities e
cross join memory_entities l on l.entity = e.number
cross join memories m on m.id = l.memory_id
where e.id = :id and m.deprecated = 0 and (m.valid_until is null or m.valid_until > :now)
order by m.type = 'episode', coalesce(m.event_time, m.created_at) desc, m.id desc limit :limit

-- name: timeline
select substr(coalesce(m.event_time, m.created_at), 1, 7) as month, count(*) as memories
from entities e
cross join memory_entities l on l.entity = e.number
cross join memories m on m.id = l.memory_id
where e.id = :id and m.deprecated = 0 and (m.valid_until is null or m.valid_until > :now)
group by month order by month

-- name: neighbours
select {{entity_columns}}, n.together from (
  select other.entity, count(*) as together
  from entities one
  cross join memory_entities l on l.entity = one.number
  cross join memories m on m.id = l.memory_id and m.deprecated = 0
    and (m.valid_until is null or m.valid_until > :now)
  cross join memory_entities other on other.memory_id = l.memory_id and other.entity <> l.entity
  where one.id = :id group by other.entity order by together desc limit :limit) n
cross join entities e on e.number = n.entity
order by n.together desc, e.mentions, e.number

-- name: mentioning
select p.id as passage, e.mentions
from json_each(:keys) k
cross join entity_names n on n.project_id = :project and n.key = k.value
cross join entities e on e.number = n.entity
cross join memory_entities l on l.entity = e.number and l.memory_id in (
  select x.memory_id from memory_entities x where x.entity = e.number order by x.memory_id desc limit :each)
cross join passages p on p.owner_id = l.memory_id

-- name: sparse
select {{columns}} from memories m
where m.deprecated = 0 and m.valid_until is null and m.type <> 'reflection'
  and not exists (select 1 from enriched r where r.memory_id = m.id)
  and (select count(*) from memory_entities l where l.memory_id = m.id) <= :at_most
order by m.rowid desc limit :limit

-- name: count_mentions
update entities set mentions = (
  select count(*) from memory_entities l cross join memories m on m.id = l.memory_id
  where l.entity = entities.number and m.deprecated = 0 and m.valid_until is null)
