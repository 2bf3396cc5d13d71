-- name: memory
select {{columns}} from memories m where m.id = :id

-- name: ids_ending
select id from memories where substr(id, -8) = :ending and project_id = :project limit 3

-- name: ids_like
select id from memories where substr(id, -length(:ending)) = :ending and project_id = :project limit 3

-- name: list
select {{columns}} from memories m
where {{filter}}
order by case :order when 'confidence' then m.confidence when 'used' then m.access_count end desc,
         case :order when 'oldest' then m.created_at end asc,
         case when :order <> 'oldest' then m.created_at end desc,
         case when :order <> 'oldest' then m.id end desc, m.id
limit :limit offset :offset

-- name: count
select count(*) from memories m where {{filter}}

-- name: twins
select {{columns}} from memories m
where m.project_id = :project and m.content_hash = :hash and m.type <> 'episode'
order by m.deprecated, m.valid_until is not null, m.created_at

-- name: successors
select {{columns}} from memories m, json_each(m.relations) r
where m.project_id = :project and json_extract(r.value, '$.kind') = 'supersedes'
  and json_extract(r.value, '$.memory') = :id
order by m.created_at

-- name: events
select at, verb, reason, detail from memory_events where memory_id = :id order by id

-- name: words
select f.rowid as id, bm25(passages_fts, 1.0, 0.8, 0.6, 0.7) as rank
from passages_fts f cross join passages p on p.id = f.rowid
where passages_fts match :match and p.project_id = :project
  and case when :kinds is null then p.kind <> 'episode' else p.kind in (select value from json_each(:kinds)) end
  and (:about is null or p.id in (select value from json_each(:about)))
order by rank limit :limit

-- name: words_filtered
select p.id, bm25(passages_fts, 1.0, 0.8, 0.6, 0.7) as rank
from passages_fts f
cross join passages p on p.id = f.rowid
cross join memories m on m.id = p.owner_id
where passages_fts match :match and {{filter}}
order by rank limit :limit

-- name: substring
select p.id from passages p
cross join memories m on m.id = p.owner_id
where p.project_id = :project and instr(lower(p.body), lower(:text)) and {{filter}}
order by m.created_at desc limit :limit

-- name: allowed
select p.id from memories m join passages p on p.owner_id = m.id
where {{filter}}

-- name: factors
{{factors}}
where {{filter}}

-- name: factors_unfiltered
{{factors}}
where m.project_id = :project and m.deprecated = 0 and (m.valid_until is null or m.valid_until > :now)

-- name: about
select pf.passage_id from json_each(:files) f cross join passage_files pf
where pf.project_id = :project and pf.path = f.value
union
select pf.passage_id from json_each(:files) f cross join passage_files pf
where pf.project_id = :project and pf.path > f.value || '/' and pf.path < f.value || '0'

-- name: frequency
select count(*) from passages_fts where passages_fts match :match

-- name: newest_passage
select coalesce(max(id), 0) from passages

-- name: hydrate
select p.id as passage_id, p.body as passage_body, {{columns}}
from json_each(:ids) i
cross join passages p on p.id = i.value
cross join memories m on m.id = p.owner_id

-- name: session_episodes
select {{columns}} from memories m
where m.project_id = :project and m.session_id = :session and m.type = 'episode'
order by m.created_at, m.id limit :limit offset :offset

-- name: embedder
select id from embedders where name = :name

-- name: has_vectors
select 1 where exists (
  select 1 from embedders e join vectors v on v.embedder_id = e.id where e.name = :name)

-- name: waiting
select p.id, p.owner_id, {{said}} as said from (
  select id, priority from passages where embedder_id is null
  union all select id, priority from passages where embedder_id < :embedder
  union all select id, priority from passages where embedder_id > :embedder
  order by priority, id desc limit :limit) w
join passages p on p.id = w.id
order by w.priority, w.id desc

-- name: count_waiting
select (select count(*) from passages where embedder_id is null)
     + (select count(*) from passages where embedder_id < :embedder)
     + (select count(*) from passages where embedder_id > :embedder)

-- name: any_waiting
select 1 from passages where embedder_id is null
union all select 1 from passages where embedder_id < :embedder
union all select 1 from passages where embedder_id > :embedder
limit 1

-- name: newest_vector
select coalesce(max(seq), 0) from vectors

-- name: vectors_after
select v.seq, v.passage_id, v.vector, p.project_id, p.kind
from vectors v join passages p on p.id = v.passage_id
where v.embedder_id = :embedder and v.seq > :seq order by v.seq

-- name: count_by_type
select type, count(*) as total, sum(deprecated = 0 and valid_until is null) as believed,
       sum(deprecated) as forgotten, sum(valid_until is not null and deprecated = 0) as superseded,
       sum(needs_review = 1 and deprecated = 0 and valid_until is null) as to_review,
       max(created_at) as newest
from memories where project_id = :project group by type order by total desc

-- name: totals
select (select count(*) from memories) as memories, (select count(*) from passages) as passages,
       (select count(*) from vectors) as vectors, (select count(*) from projects) as projects,
       (select count(*) from embedding_cache) as cached

-- name: metadata
select value from metadata where key = :key

-- name: lease
select name, holder, expires_at, progress from leases where name = :name

-- name: job_runs
select name, started_at, finished_at, outcome, detail from job_runs order by id desc limit :limit

-- name: projects
select id, name, root, common_dir, remote, root_commit, created_at, last_seen_at from projects order by last_seen_at desc

-- name: co_access
select case when a = :id then b else a end as other, co_count from co_access
where project_id = :project and (a = :id or b = :id) order by co_count desc limit :limit

-- name: cache_get
select key, embedding from embedding_cache
where key in (select value from json_each(:keys)) and expires_at > :now

-- name: export
select {{columns}} from memories m where m.project_id = :project order by m.id

-- name: export_events
select e.memory_id, e.at, e.verb, e.reason, e.detail from memory_events e
join memories m on m.id = e.memory_id where m.project_id = :project order by e.id
