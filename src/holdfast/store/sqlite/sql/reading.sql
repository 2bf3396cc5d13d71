-- name: memory
select {{columns}} from memories m where m.id = :id

-- name: ids_ending
select id from memories where substr(id, -8) = :ending and project_id in {{seen}} and type <> 'episode' limit 3

-- name: erased_anchors
select distinct a.value as anchor from json_each(:anchors) a
join memories m on substr(m.id, -8) = a.value and m.type <> 'episode' and m.content = :erased

-- name: ids_like
select id from memories where substr(id, -length(:ending)) = :ending and project_id in {{seen}} limit 3

-- name: ids_with
select id from memories where instr(id, :ending) and project_id in {{seen}} limit 3

-- name: list
select {{columns}} from memories m
where {{filter}}
order by case :order when 'confidence' then m.confidence when 'used' then m.access_count end desc,
         case :order when 'oldest' then m.created_at end asc,
         case when :order <> 'oldest' then m.created_at end desc,
         case when :order <> 'oldest' then m.id end desc, m.id
limit :limit offset :offset

-- The first rows of each index are read, and only these are sorted again.
-- name: list_newest
select {{columns}} from memories m where m.rowid in (
  select * from (select m.rowid from memories m indexed by memories_newest where {{own_lasting}}
    order by m.created_at desc, m.id desc limit :most)
  union all
  select * from (select m.rowid from memories m indexed by memories_newest where {{personal_lasting}}
    order by m.created_at desc, m.id desc limit :most)
  union all
  select * from (select m.rowid from memories m indexed by memories_by_type where {{own_messages}}
    order by m.created_at desc, m.id desc limit :most))
order by m.created_at desc, m.id desc limit :limit offset :offset

-- name: list_oldest
select {{columns}} from memories m where m.rowid in (
  select * from (select m.rowid from memories m indexed by memories_newest where {{own_lasting}}
    order by m.created_at, m.id limit :most)
  union all
  select * from (select m.rowid from memories m indexed by memories_newest where {{personal_lasting}}
    order by m.created_at, m.id limit :most)
  union all
  select * from (select m.rowid from memories m indexed by memories_by_type where {{own_messages}}
    order by m.created_at, m.id limit :most))
order by m.created_at, m.id limit :limit offset :offset

-- name: list_confidence
select {{columns}} from memories m where m.rowid in (
  select * from (select m.rowid from memories m indexed by memories_confident where {{own_lasting}}
    order by m.confidence desc, m.created_at desc, m.id desc limit :most)
  union all
  select * from (select m.rowid from memories m indexed by memories_confident where {{personal_lasting}}
    order by m.confidence desc, m.created_at desc, m.id desc limit :most))
order by m.confidence desc, m.created_at desc, m.id desc limit :limit offset :offset

-- name: list_used
select {{columns}} from memories m where m.rowid in (
  select * from (select m.rowid from memories m indexed by memories_used where {{own_lasting}}
    order by m.access_count desc, m.created_at desc, m.id desc limit :most)
  union all
  select * from (select m.rowid from memories m indexed by memories_used where {{personal_lasting}}
    order by m.access_count desc, m.created_at desc, m.id desc limit :most))
order by m.access_count desc, m.created_at desc, m.id desc limit :limit offset :offset

-- name: newest_of_type
select m.rowid from memories m indexed by memories_by_type where m.project_id = :of and m.type = :type and {{filter}}
order by m.created_at desc, m.id desc limit :most

-- name: oldest_of_type
select m.rowid from memories m indexed by memories_by_type where m.project_id = :of and m.type = :type and {{filter}}
order by m.created_at, m.id limit :most

-- name: rows_newest
select {{columns}} from memories m where m.rowid in (select value from json_each(:rows))
order by m.created_at desc, m.id desc limit :limit offset :offset

-- name: rows_oldest
select {{columns}} from memories m where m.rowid in (select value from json_each(:rows))
order by m.created_at, m.id limit :limit offset :offset

-- name: list_to_review
select {{columns}} from {{may_wait}}
where {{filter}}
order by case :order when 'confidence' then m.confidence when 'used' then m.access_count end desc,
         case :order when 'oldest' then m.created_at end asc,
         case when :order <> 'oldest' then m.created_at end desc,
         case when :order <> 'oldest' then m.id end desc, m.id
limit :limit offset :offset

-- name: page
select {{columns}} from memories m indexed by memories_newest
where m.project_id = :of and m.type <> 'episode' and (m.created_at, m.id) > (:at, :id) and {{filter}}
order by m.created_at, m.id limit :limit

-- name: forgotten_texts
select content from memories m where m.project_id in {{seen}} and m.deprecated = 1 and m.content <> :erased

-- name: forgotten_messages
select id from memories m where m.project_id = :project and m.type = 'episode' and m.deprecated = 1

-- name: imported
select distinct s.value from memories m
cross join json_each(iif(json_valid(m.source_ids), m.source_ids, '[]')) s
where m.project_id in {{seen}} and instr(m.source_ids, '"import:') > 0 and s.value in (select value from json_each(:keys))

-- name: count
select count(*) from (select 1 from memories m where {{filter}} limit :most)

-- name: count_to_review
select count(*) from (select 1 from {{may_wait}} where {{filter}} limit :most)

-- name: latest
select {{columns}} from memories m
where m.project_id = :project and m.type = :type and m.deprecated = 0 and m.valid_until is null
order by m.created_at desc limit :limit

-- Pinned memories and those of the given types that no person has to review first. A union, so that both indexes serve;
-- only the rows that are returned are read completely.
-- name: standing_memories
with wanted (row) as (
  select p.rowid from memories p indexed by memories_pinned
  where p.project_id in {{seen}} and p.pinned = 1 and p.type <> 'episode'
  union
  select t.rowid from memories t
  where t.project_id in {{seen}} and t.type in (select value from json_each(:types))
), best (row) as (
  select m.rowid from wanted w cross join memories m on m.rowid = w.row
  where m.deprecated = 0 and (m.valid_until is null or m.valid_until > :now) and m.needs_review = 0
    and (m.stale_at is null or m.stale_at > :now)
    and m.scope = 'global' and (:not_session is null or m.session_id is not :not_session)
  order by {{standing_order}} limit :limit
)
select {{columns}} from best b cross join memories m on m.rowid = b.row order by {{standing_order}}

-- name: uses
select memory_id, at, point, outcome, evidence from memory_uses
where project_id = :project and session_id = :session order by at, memory_id

-- What was supplied before the session ended and its id was used again does not count.
-- name: supplied
select u.owner_id from supplied u
where u.project_id = :project and u.session_id = :session and u.at > coalesce(
  (select s.archived_at from sessions s where s.project_id = u.project_id and s.id = u.session_id), '')

-- name: last_supplied
select session_id from supplied where project_id = :project and owner_id = :id order by at desc limit 1

-- name: twins
select {{columns}} from memories m
where m.project_id in {{seen}} and m.content_hash = :hash and m.type <> 'episode'
order by m.deprecated, m.valid_until is not null, m.created_at

-- name: successors
select {{columns}} from memories m indexed by memories_tied
cross join json_each(iif(json_valid(m.relations), m.relations, '[]')) r
where m.project_id in {{seen}} and m.relations <> '[]' and json_extract(r.value, '$.kind') = 'supersedes'
  and json_extract(r.value, '$.memory') = :id
order by m.created_at

-- name: replacements
-- from the sessions of the messages to the superseded memories, which are few; the memories with relations are read only if there is one
with outdated as (
  select o.id, s.value as message from json_each(:sessions) q
  cross join memories o indexed by memories_superseded on o.project_id in {{seen}} and o.session_id = q.value
  cross join json_each(iif(json_valid(o.source_ids), o.source_ids, '[]')) s
  where o.valid_until is not null and o.type <> 'episode' and s.value in (select value from json_each(:ids)))
select outdated.message, {{columns}} from outdated
cross join memories m on m.project_id in {{seen}} and m.relations <> '[]' and instr(m.relations, outdated.id)
cross join json_each(iif(json_valid(m.relations), m.relations, '[]')) r
where json_extract(r.value, '$.kind') = 'supersedes' and json_extract(r.value, '$.memory') = outdated.id
order by m.created_at, m.id

-- name: pointing_at
select {{columns}} from memories m
where m.project_id in {{seen}} and m.relations <> '[]' and exists (
  select 1 from json_each(iif(json_valid(m.relations), m.relations, '[]')) r
  where json_extract(r.value, '$.memory') in (select value from json_each(:ids)))
order by m.created_at, m.id

-- name: operations
select o.verb, o.at, o.undone, count(c.memory_id) as memories,
       (select m.content from operation_changes f join memories m on m.id = f.memory_id
        where f.operation_id = o.id order by m.id limit 1) as text
from operations o left join operation_changes c on c.operation_id = o.id
where o.project_id in {{seen}} group by o.id order by o.id desc limit :limit

-- name: events
select at, verb, reason, detail from memory_events where memory_id = :id order by id

-- name: words
select f.rowid as id, bm25(passages_fts, 1.0, 0.8, 0.6, 0.7) as rank
from passages_fts f cross join passages p on p.id = f.rowid
where passages_fts match :match and {{placed}}
  and (:about is null or +f.rowid in (select value from json_each(:about)))
order by rank limit :limit

-- name: words_best
-- Not sorted again: the inner query returns the best first, and rows are checked until there are enough.
select f.id, f.rank from (
  select rowid as id, bm25(passages_fts, 1.0, 0.8, 0.6, 0.7) as rank
  from passages_fts where passages_fts match :match order by rank limit :more) f
cross join passages p on p.id = f.id
where {{placed}}
limit :limit

-- name: holding
-- One text per word: reading the same numbers as rows, or grouped, takes several times as long.
select (select group_concat(rowid) from passages_fts where passages_fts match w.value) from json_each(:matches) w

-- name: passing
select p.id from json_each(:ids) i cross join passages p on p.id = i.value
where (:about is null or i.value in (select value from json_each(:about)))
  and {{placed}}
limit :limit

-- name: passing_filtered
select p.id from json_each(:ids) i cross join passages p on p.id = i.value
{{owners}}
where ({{filter}} or {{document_filter}})
limit :limit

-- name: words_newest
select f.rowid as id, -:weight as rank
from passages_fts f cross join passages p on p.id = f.rowid
where passages_fts match :match and {{placed}}
  and (:about is null or +f.rowid in (select value from json_each(:about)))
order by f.rowid desc limit :limit

-- name: words_newest_filtered
select p.id, -:weight as rank
from passages_fts f
cross join passages p on p.id = f.rowid
{{owners}}
where passages_fts match :match
  and ({{filter}} or {{document_filter}})
order by f.rowid desc limit :limit

-- name: words_filtered
select p.id, bm25(passages_fts, 1.0, 0.8, 0.6, 0.7) as rank
from passages_fts f
cross join passages p on p.id = f.rowid
{{owners}}
where passages_fts match :match
  and ({{filter}} or {{document_filter}})
order by rank limit :limit

-- name: substring
-- only the newest passages, because it reads every text
select p.id from (select id, kind, owner_id, body from passages where project_id in {{seen}} order by id desc limit 100000) p
{{owners}}
where instr(lower(p.body), lower(:text))
  and ({{filter}} or {{document_filter}})
order by coalesce(m.created_at, d.modified, d.indexed_at) desc limit :limit

-- name: allowed
select p.id from memories m join passages p on p.owner_id = m.id
where {{filter}}
union all
select p.id from documents d join chunks c on c.document_id = d.id join passages p on p.owner_id = c.id
where {{document_filter}}

-- name: factors
{{factors}}
where {{filter}}

-- name: factors_unfiltered
{{factors}}
where m.project_id in {{seen}} and m.deprecated = 0 and (m.valid_until is null or m.valid_until > :now)
  and (m.stale_at is null or m.stale_at > :now)

-- The condition on type and source is that of the index `memories_taught`, which suffices to count.
-- name: count_taught
select count(*) from (
  select 1 from memories
  where project_id in {{seen}} and type <> 'episode' and source in ('user_taught', 'agent_explicit') limit :most
)

-- name: taught
select p.id from memories m indexed by memories_taught join passages p on p.owner_id = m.id
where m.project_id in {{seen}} and m.type <> 'episode' and m.source in ('user_taught', 'agent_explicit')

-- name: traits
select b.passage_id, b.kind, b.role, b.session, b.bag
from json_each(:ids) i cross join bags b on b.passage_id = i.value

-- name: traits_uncounted
select p.id, coalesce(m.type, p.kind), m.source_role, m.session_id, p.body || ' ' || p.tags || ' ' || p.files
from json_each(:ids) i cross join passages p on p.id = i.value left join memories m on m.id = p.owner_id

-- name: sources_of
select p.id, m.source_ids from json_each(:ids) i
cross join passages p on p.id = i.value cross join memories m on m.id = p.owner_id
where m.source_ids <> '[]' and m.type not in ('episode', 'reflection')

-- name: documents_of
select p.id, coalesce(c.document_id, json_extract(m.attributes, '$.document')) as document from json_each(:ids) i
cross join passages p on p.id = i.value
left join chunks c on c.id = p.owner_id left join memories m on m.id = p.owner_id
where document is not null

-- name: adjacent
-- Neighbours in the order of insertion: messages of a session are stored one after the other, with few others between.
select m.passage_id, max(iif(b.passage_id < m.passage_id, b.passage_id, null)),
       min(iif(b.passage_id > m.passage_id, b.passage_id, null))
from json_each(:ids) i
cross join bags m on m.passage_id = i.value and m.kind = 'episode' and m.session is not null
cross join bags b on b.passage_id between m.passage_id - :reach and m.passage_id + :reach
where b.session = m.session and b.kind = 'episode'
group by m.passage_id

-- name: adjacent_uncounted
select p.id, max(iif(q.id < p.id, q.id, null)), min(iif(q.id > p.id, q.id, null))
from json_each(:ids) i
cross join passages p on p.id = i.value and p.kind = 'episode'
cross join memories m on m.id = p.owner_id and m.session_id is not null
cross join passages q on q.id between p.id - :reach and p.id + :reach and q.kind = 'episode'
cross join memories o on o.id = q.owner_id and o.session_id = m.session_id and o.project_id = m.project_id
where not exists (select 1 from bags b where b.passage_id = p.id)
group by p.id

-- name: about
select pf.passage_id from json_each(:files) f cross join passage_files pf
where pf.project_id = :project and pf.path = f.value
union
select pf.passage_id from json_each(:files) f cross join passage_files pf
where pf.project_id = :project and pf.path > f.value || '/' and pf.path < f.value || '0'

-- name: frequency
select count(*), max(rowid) from (select rowid from passages_fts where passages_fts match :match limit :limit)

-- name: frequency_newest
select min(rowid) from (
  select rowid from passages_fts where passages_fts match :match order by rowid desc limit :limit)

-- name: index_totals
select block from passages_fts_data where id = 1

-- name: parts_of_words
select count(distinct segid) from passages_fts_idx

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
select id, emptied from embedders where name = :name

-- name: has_vectors
select 1 where exists (
  select 1 from embedders e join vectors v on v.embedder_id = e.id where e.name = :name)

-- name: embedders
select name from embedders e where exists (select 1 from passages p where p.embedder_id = e.id) order by e.id desc

-- name: embedder_numbers
select id from embedders

-- name: pending_of
select priority, -id from passages where embedder_id is :embedder and vector_size = :size
order by priority, id desc limit :limit

-- name: pending
select p.id, p.owner_id, p.kind, {{said}} as said
from json_each(:ids) i cross join passages p on p.id = i.value

-- name: count_pending
select (select count(*) from passages where embedder_id is null)
     + (select count(*) from passages where embedder_id < :embedder)
     + (select count(*) from passages where embedder_id > :embedder)
     + (select count(*) from passages where embedder_id = :embedder and vector_size < :size)

-- name: any_pending
select 1 from passages where embedder_id is null
union all select 1 from passages where embedder_id < :embedder
union all select 1 from passages where embedder_id > :embedder
union all select 1 from passages where embedder_id = :embedder and vector_size < :size
limit 1

-- name: pending_sentences_of
select -passage_id from sentences where embedder_id is :embedder and size = :size order by passage_id desc limit :limit

-- name: count_pending_sentences
select (select count(*) from sentences where embedder_id is null)
     + (select count(*) from sentences where embedder_id < :embedder)
     + (select count(*) from sentences where embedder_id > :embedder)
     + (select count(*) from sentences where embedder_id = :embedder and size < :size)

-- name: any_pending_sentences
select 1 from sentences where embedder_id is null
union all select 1 from sentences where embedder_id < :embedder
union all select 1 from sentences where embedder_id > :embedder
union all select 1 from sentences where embedder_id = :embedder and size < :size
limit 1

-- name: count_by_size
select vector_size, count(*) from passages where embedder_id = :embedder group by vector_size

-- name: newest_vector
select coalesce(max(seq), 0) from vectors

-- name: vectors_after
select v.seq, v.passage_id, v.vector, p.project_id, iif(p.past, iif(p.kind = 'episode', 'past episode', 'past'), p.kind)
from vectors v cross join passages p on p.id = v.passage_id
where v.embedder_id = :embedder and v.seq > :seq order by v.seq limit :limit

-- name: count_vectors_after
select count(*) from (select 1 from vectors where embedder_id = :embedder and seq > :seq limit :limit)

-- name: count_vectors
select count(*) from vectors where embedder_id = :embedder

-- name: vector_seqs
select seq from vectors where embedder_id = :embedder

-- name: vectors_now
select v.seq, v.passage_id, v.vector from json_each(:seqs) s cross join vectors v on v.seq = s.value
where v.embedder_id = :embedder

-- name: vectors_there
select v.seq from json_each(:seqs) s cross join vectors v on v.seq = s.value
where v.embedder_id = :embedder

-- name: count_vectors_there
select count(*) from json_each(:seqs) s cross join vectors v on v.seq = s.value
where v.embedder_id = :embedder

-- name: vector_counter
select coalesce(max(seq), 0) from sqlite_sequence where name = 'vectors'

-- name: archive_owner
select (select value from metadata where key = 'store_id'), (select name from embedders where id = :embedder)

-- name: count_by_type
select type, count(*) as total, sum(deprecated = 0 and valid_until is null) as believed,
       sum(deprecated) as forgotten, sum(valid_until is not null and deprecated = 0) as superseded,
       sum({{to_review}} and m.deprecated = 0 and m.valid_until is null) as to_review,
       max(created_at) as newest
from memories m where project_id in {{seen}} group by type order by total desc

-- name: count_documents
select count(distinct d.id) as documents, count(c.id) as chunks
from documents d left join chunks c on c.document_id = d.id
where d.project_id = :project and d.deprecated = 0 and d.label is not 'source code'

-- name: totals
select (select count(*) from memories) as memories, (select count(*) from passages) as passages,
       (select count(*) from memories) - (select count(*) from memories where type <> 'episode') as messages,
       (select count(*) from vectors) as vectors, (select count(person_id) from projects) as projects,
       (select count(*) from embedding_cache) as cached, (select count(*) from documents) as documents,
       (select count(*) from chunks) as chunks

-- name: totals_of_person
with person (id) as (select person_id from projects where id = :project),
  own (id) as (select p.id from projects p join person on person.id in (p.id, p.person_id))
select (select count(*) from memories where project_id in (select id from own)) as memories,
       (select count(*) from passages where project_id in (select id from own)) as passages,
       (select count(*) from memories where project_id in (select id from own) and type = 'episode') as messages,
       (select count(*) from vectors v join passages p on p.id = v.passage_id
        where p.project_id in (select id from own)) as vectors,
       (select count(p.person_id) from projects p join own on own.id = p.id) as projects,
       (select count(*) from embedding_cache) as cached,
       (select count(*) from documents where project_id in (select id from own)) as documents,
       (select count(*) from chunks c join documents d on d.id = c.document_id
        where d.project_id in (select id from own)) as chunks

-- name: lease
select name, holder, expires_at, progress from leases where name = :name

-- name: last_runs
select name, max(finished_at) as at from job_runs
where (:outcome is null or outcome = :outcome) and (project_id is null or project_id = :project) group by name

-- name: last_run
select name, started_at, finished_at, outcome, detail from job_runs where name = :name order by id desc limit 1

-- name: job_runs
select name, started_at, finished_at, outcome, detail from job_runs order by id desc limit :limit

-- name: projects
select id, name, root, common_dir, remote, root_commit, created_at, last_seen_at, person_id from projects
where person_id is not null order by last_seen_at desc

-- name: seen
select person_id from projects where id = :project

-- name: count_by_project
select project_id, sum(type <> 'episode') as memories, sum(type = 'episode') as messages from memories
where deprecated = 0 and valid_until is null group by project_id

-- name: found_with
-- The plus keeps the planner from reading all pairs of the project where `b` has an index.
with own as (select owner_id as id from passages where id in (select value from json_each(:ids)))
select p.id, sum(t.together) as together
from (select co.b as other, co.co_count as together from co_access co
      where co.project_id = :project and co.a in (select id from own)
      union all
      select co.a, co.co_count from co_access co
      where +co.project_id = :project and co.b in (select id from own)) t
cross join passages p on p.owner_id = t.other
cross join memories m on m.id = p.owner_id
where p.id not in (select value from json_each(:ids)) and {{filter}}
group by p.id having together >= :at_least order by together desc, p.id limit :limit

-- name: files_bound
-- by memories that were found together, and by those that say which files need each other: `when_changed` needs the others
with own as (
  select p.owner_id as id from passage_files pf cross join passages p on p.id = pf.passage_id
  where pf.project_id = :project and pf.path = :file),
needed as (
  select json_extract(m.fields, '$.when_changed') as one, json_extract(r.value, '$.file') as other,
    coalesce(json_extract(r.value, '$.confidence'), 1.0) as weight
  from own cross join memories m on m.id = own.id cross join json_each(m.relations) r
  where m.relations <> '[]' and json_extract(r.value, '$.kind') = 'required_with' and m.needs_review = 0
    and m.deprecated = 0 and (m.valid_until is null or m.valid_until > :now)
    and (m.stale_at is null or m.stale_at > :now)),
bound as (
select other.path, min(1.0, max(1.0 * t.together / max(1, min(m.access_count, n.access_count)))) as weight
from (select co.a as one, co.b as two, co.co_count as together from co_access co
      where co.project_id = :project and co.a in (select id from own)
      union all
      select co.b, co.a, co.co_count from co_access co
      where +co.project_id = :project and co.b in (select id from own)) t
cross join memories m on m.id = t.one
cross join memories n on n.id = t.two
cross join passages q on q.owner_id = t.two
cross join passage_files other on other.passage_id = q.id
where t.together >= :at_least
group by other.path
union all
select other, weight from needed where one is null or one = :file
union all
select one, weight from needed where other = :file)
select path, max(weight) as weight from bound where path is not null and path <> :file
group by path order by weight desc, path limit :limit

-- name: files_of
select pf.passage_id, pf.path from json_each(:ids) i cross join passage_files pf on pf.passage_id = i.value
order by pf.passage_id, pf.path

-- name: memory_files
select distinct pf.path, m.id from passage_files pf
cross join passages p on p.id = pf.passage_id
cross join memories m on m.id = p.owner_id
where pf.project_id = :project and m.type <> 'episode' and {{filter}}

-- name: about_files
select p.id, pf.path from json_each(:paths) f
cross join passage_files pf on pf.project_id = :project and pf.path = f.value
cross join passages p on p.id = pf.passage_id
cross join memories m on m.id = p.owner_id
where {{filter}}
order by f.key, m.confidence desc, m.created_at desc, p.id limit :limit

-- name: sessions
select id, min(began) as began, max(ended) as ended from (
  select id, created_at as began, last_at as ended from sessions where project_id = :project
  union all
  select session_id, min(coalesce(event_time, created_at)), max(coalesce(event_time, created_at)) from memories
  where project_id = :project and session_id is not null group by session_id)
group by id order by ended desc, id desc limit :limit

-- name: cache_get
select key, embedding from embedding_cache
where key in (select value from json_each(:keys)) and expires_at > :now

-- name: within
select p.id from memories m indexed by memories_by_moment cross join passages p on p.owner_id = m.id
where coalesce(m.event_time, m.created_at) between :from and :to
  and {{filter}}
order by coalesce(m.event_time, m.created_at) desc limit :limit

-- name: vectors
select v.passage_id, v.vector from json_each(:ids) i
cross join vectors v on v.passage_id = i.value and v.embedder_id = :embedder and v.size >= :size

-- name: sentences
select s.passage_id, s.vectors from json_each(:ids) i
cross join sentences s on s.passage_id = i.value
where s.embedder_id = :embedder and length(s.vectors) > 0

-- name: questions
select s.passage_id, s.vectors from json_each(:ids) i
cross join sentences s on s.passage_id = i.value
cross join bags b on b.passage_id = s.passage_id and b.kind is not 'episode'
where s.embedder_id = :embedder and length(s.vectors) > 0

-- name: all_questions
select s.passage_id, s.vectors from memories m indexed by memories_asked
cross join passages p on p.owner_id = m.id
cross join sentences s on s.passage_id = p.id
where m.project_id in {{seen}} and m.questions <> '[]' and s.embedder_id = :embedder and length(s.vectors) > 0
order by s.passage_id desc limit :most

-- name: any_other_size
select 1 from passages where embedder_id = :embedder and vector_size < :size
union all select 1 from passages where embedder_id = :embedder and vector_size > :size
limit 1

-- name: vector_sizes
select v.passage_id, v.size from json_each(:ids) i
cross join vectors v on v.passage_id = i.value and v.embedder_id = :embedder and v.size <> :size

-- name: cosines
select cosines from embedders where name = :name and cosines is not null
