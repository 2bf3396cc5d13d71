-- name: insert_memory
insert into memories (
  id, project_id, type, content, content_hash, confidence, tags, related_files, related_modules, created_at, event_time,
  last_accessed_at, access_count, session_id, phase, commit_sha, scope, work_unit_ref, methodology, source, source_role,
  target_node_id, impacted_node_ids, relations, decay_half_life_days, provenance_session_ids, source_ids, needs_review,
  user_verified, taint, citation_text, pinned, deprecated, deprecated_at, stale_at, valid_until, trust_level_scope,
  chunk_type, chunk_start_line, chunk_end_line, context_prefix, redacted, fields, attributes, anchors, questions)
values (
  :id, :project_id, :type, :content, :content_hash, :confidence, :tags, :related_files, :related_modules, :created_at,
  :event_time, :last_accessed_at, :access_count, :session_id, :phase, :commit_sha, :scope, :work_unit_ref, :methodology,
  :source, :source_role, :target_node_id, :impacted_node_ids, :relations, :decay_half_life_days,
  :provenance_session_ids, :source_ids, :needs_review, :user_verified, :taint, :citation_text, :pinned, :deprecated,
  :deprecated_at, :stale_at, :valid_until, :trust_level_scope, :chunk_type, :chunk_start_line, :chunk_end_line,
  :context_prefix, :redacted, :fields, :attributes, :anchors, :questions)

-- name: update_memory
update memories set
  type = :type, content = :content, content_hash = :content_hash, confidence = :confidence, tags = :tags,
  related_files = :related_files, related_modules = :related_modules, created_at = :created_at,
  event_time = :event_time, last_accessed_at = :last_accessed_at, access_count = :access_count,
  session_id = :session_id, phase = :phase, commit_sha = :commit_sha, scope = :scope, work_unit_ref = :work_unit_ref,
  methodology = :methodology, source = :source, source_role = :source_role, target_node_id = :target_node_id,
  impacted_node_ids = :impacted_node_ids, relations = :relations, decay_half_life_days = :decay_half_life_days,
  provenance_session_ids = :provenance_session_ids, source_ids = :source_ids, needs_review = :needs_review,
  user_verified = :user_verified, taint = :taint, citation_text = :citation_text, pinned = :pinned,
  deprecated = :deprecated, deprecated_at = :deprecated_at, stale_at = :stale_at, valid_until = :valid_until,
  trust_level_scope = :trust_level_scope, chunk_type = :chunk_type, chunk_start_line = :chunk_start_line,
  chunk_end_line = :chunk_end_line, context_prefix = :context_prefix, redacted = :redacted, fields = :fields,
  attributes = :attributes, anchors = :anchors, questions = :questions
where id = :id

-- name: insert_episode
insert into memories (id, project_id, type, content, content_hash, confidence, created_at, event_time, session_id,
  scope, source, source_role, citation_text, redacted, attributes, trust_level_scope)
values (:id, :project_id, 'episode', :content, :content_hash, :confidence, :created_at, :event_time, :session_id,
  :scope, :source, :source_role, :citation_text, :redacted, :attributes, 'project')

-- name: insert_said
insert into passages (project_id, kind, owner_id, body, terms, priority, past, embedder_id, vector_size)
select m.project_id, 'episode', m.id, m.content, i.value ->> 'terms', 2, m.deprecated or m.valid_until is not null,
       :embedder, :size
from json_each(:rows) i cross join memories m on m.id = i.value ->> 'id' order by i.key

-- name: insert_event
insert into memory_events (memory_id, at, verb, reason, detail) values (:memory, :at, :verb, :reason, :detail)

-- name: insert_passage
insert into passages (project_id, kind, owner_id, body, tags, files, terms, priority, past, embedder_id, vector_size)
values (:project, :kind, :owner, :body, :tags, :files, :terms, :priority, :past, :embedder, :size)

-- name: insert_passages
insert into passages (
  id, project_id, kind, owner_id, body, tags, files, terms, priority, past, embedder_id, vector_size)
select value ->> 'passage', value ->> 'project', value ->> 'kind', value ->> 'owner', value ->> 'body', value ->> 'tags',
       value ->> 'files', value ->> 'terms', value ->> 'priority', value ->> 'past', value ->> 'embedder',
       value ->> 'size'
from json_each(:rows)

-- name: update_passage
update passages set body = :body, tags = :tags, files = :files, terms = :terms, priority = :priority,
  embedder_id = null, vector_size = 0
where owner_id = :owner returning id

-- name: passage_of
select p.id, p.body, p.tags, p.files, {{asked}} as questions
from passages p where p.owner_id = :owner

-- name: clear_passage_files
delete from passage_files where passage_id = :passage

-- name: insert_passage_file
insert or ignore into passage_files (project_id, path, passage_id) values (:project, :path, :passage)

-- name: insert_embedder
insert into embedders (name, dimensions) values (:name, :dimensions)
on conflict (name) do update set emptied = 0 where emptied

-- name: says_still
select p.body, p.tags, p.files, {{asked}} as questions, p.embedder_id, p.vector_size, not exists (select 1 from bags b where b.passage_id = p.id) as uncounted
from passages p where p.id = :passage and (:said is null or :said = {{said}})

-- name: delete_vector
delete from vectors where passage_id = :passage and embedder_id = :embedder

-- name: insert_vector
insert into vectors (passage_id, embedder_id, vector, size) values (:passage, :embedder, :vector, :size)

-- name: insert_vector_of
insert into vectors (passage_id, embedder_id, vector, size)
select id, :embedder, :vector, :size from passages where owner_id = :owner

-- name: mark_embedded
update passages set embedder_id = :embedder, vector_size = :size where id = :passage

-- name: put_sentences
update sentences set embedder_id = :embedder, size = :size, vectors = :vectors
where passage_id = :passage and not (embedder_id is :embedder and size > :size)
  and exists (select 1 from passages p where p.id = :passage and (:said is null or :said = {{said}}))

-- name: put_cosines
update embedders set cosines = :value where name = :name

-- name: other_embedders
select id from embedders
where name <> :name and not emptied and exists (select 1 from embedders where name = :name and not emptied)

-- name: drop_vectors
delete from vectors where embedder_id = :embedder

-- name: empty_sentences
update sentences set embedder_id = null, size = 0, vectors = null where embedder_id = :embedder

-- name: unmark
update passages set embedder_id = null, vector_size = 0 where embedder_id = :embedder

-- name: mark_emptied
update embedders set emptied = 1 where id = :embedder

-- name: upsert_session
insert into sessions (project_id, id, kind, created_at, last_at, said_to)
values (:project, :id, :kind, :first, :last, :said_to)
on conflict (project_id, id) do update set last_at = max(last_at, excluded.last_at), said_to = excluded.said_to

-- name: touch
update memories set access_count = access_count + 1, last_accessed_at = :at
where id in (select value from json_each(:ids))

-- name: touch_documents
update documents set access_count = access_count + 1, last_accessed_at = :at, confidence = min(1.0, confidence * 1.03)
where id in (select value from json_each(:ids))

-- name: co_access
insert into co_access (project_id, a, b, last_co_access)
select :project, one.value, two.value, :at from json_each(:ids) one, json_each(:ids) two where one.value < two.value
on conflict (project_id, a, b) do update set co_count = co_count + 1, last_co_access = excluded.last_co_access

-- name: supply
insert into supplied (project_id, session_id, owner_id, at)
select :project, :session, value, :at from json_each(:ids) where true
on conflict (project_id, session_id, owner_id) do update set at = excluded.at

-- name: put_use
insert into memory_uses (project_id, session_id, memory_id, at, point, outcome, evidence)
values (:project, :session, :memory, :at, :point, :outcome, :evidence)
on conflict (project_id, session_id, memory_id)
do update set at = excluded.at, point = excluded.point, outcome = excluded.outcome, evidence = excluded.evidence
where evidence <> 'stated' or excluded.evidence = 'stated'

-- name: expire_supplied
delete from supplied where at < :before

-- name: trim_supplied
delete from supplied where project_id = :project and session_id = :session and owner_id in (
  select u.owner_id from supplied u where u.project_id = :project and u.session_id = :session
  order by u.at desc, u.owner_id limit -1 offset :most)

-- name: cache_put
insert or replace into embedding_cache (key, embedding, model_id, dims, expires_at)
values (:key, :embedding, :model, :dims, :expires)

-- name: cache_evict
delete from embedding_cache where expires_at <= :now

-- name: upsert_project
insert into projects (id, name, root, common_dir, remote, root_commit, created_at, last_seen_at, person_id)
values (:id, :name, :root, :common_dir, :remote, :root_commit, :at, :at, :person)
on conflict (id) do update set name = excluded.name, root = excluded.root,
  common_dir = coalesce(excluded.common_dir, common_dir), remote = coalesce(excluded.remote, remote),
  root_commit = coalesce(excluded.root_commit, root_commit), last_seen_at = excluded.last_seen_at

-- name: project_folders
select root, behind from project_roots where project_id = :project order by root

-- name: add_project_folder
insert or ignore into project_roots (project_id, root) values (:project, :root)

-- name: mark_project_folder
update project_roots set behind = :behind where project_id = :project and root = :root

-- name: insert_person
insert or ignore into projects (id, name, root, created_at, last_seen_at) values (:person, 'personal', :person, :at, :at)

-- name: person
select person_id from projects where id = :id

-- name: take_lease
insert into leases (name, holder, expires_at) values (:name, :holder, :expires)
on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at, progress = '{}'
where leases.expires_at <= :now or leases.holder = excluded.holder

-- name: keep_lease
update leases set expires_at = :expires, progress = :progress where name = :name and holder = :holder

-- name: free_lease
delete from leases where name = :name and holder = :holder

-- name: insert_job_run
insert into job_runs (name, started_at, finished_at, outcome, detail, project_id)
values (:name, :started, :finished, :outcome, :detail, :project)

-- name: rebuild_fts
insert into passages_fts (passages_fts) values ('rebuild')

-- name: join_words
insert into passages_fts (passages_fts, rank) values ('merge', :pages)

-- name: check_fts
insert into passages_fts (passages_fts, rank) values ('integrity-check', 1)

-- name: orphaned_passages
delete from passages
where owner_id not in (select id from memories) and owner_id not in (select id from chunks)

-- name: stray_vectors
delete from vectors where passage_id not in (select id from passages)

-- name: stray_files
delete from passage_files where passage_id not in (select id from passages)

-- name: stray_bags
delete from bags where passage_id not in (select id from passages)

-- name: stray_sentences
delete from sentences where passage_id not in (select id from passages)

-- name: count_orphaned_passages
select count(*) from passages
where owner_id not in (select id from memories) and owner_id not in (select id from chunks)

-- name: memories_without_passage
select m.id from memories m
where not exists (select 1 from passages p where p.owner_id = m.id)

-- name: count_unmarked
select count(*) from passages p where p.embedder_id is not null
and not exists (select 1 from vectors v where v.passage_id = p.id and v.embedder_id = p.embedder_id)

-- name: requeue_unmarked
update passages set embedder_id = null, vector_size = 0 where embedder_id is not null
and not exists (select 1 from vectors v where v.passage_id = passages.id and v.embedder_id = passages.embedder_id)

-- name: count_unqueued_sentences
select count(*) from bags b cross join passages p on p.id = b.passage_id
where {{has_sentences}}
and not exists (select 1 from sentences s where s.passage_id = p.id)

-- name: requeue_sentences
insert into sentences (passage_id)
select p.id from bags b cross join passages p on p.id = b.passage_id
where {{has_sentences}}
and not exists (select 1 from sentences s where s.passage_id = p.id)

-- name: put_bag
insert into bags (passage_id, bag, kind, role, session)
select :passage, :bag, coalesce(m.type, p.kind), m.source_role, m.session_id
from passages p left join memories m on m.id = p.owner_id where p.id = :passage
on conflict (passage_id) do update set bag = excluded.bag

-- name: passages_without_bag
-- in order of their numbers after a given one, so that the next rows are found without passing those counted before
select p.id, p.body, p.tags, p.files, {{asked}} as questions
from passages p
where p.id > :after and not exists (select 1 from bags b where b.passage_id = p.id)
order by p.id limit :limit
