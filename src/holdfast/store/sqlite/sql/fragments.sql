-- name: columns
m.id, m.project_id, m.type, m.content, m.confidence, m.tags, m.related_files, m.related_modules, m.created_at,
m.event_time, m.last_accessed_at, m.access_count, m.session_id, m.phase, m.commit_sha, m.scope, m.work_unit_ref,
m.methodology, m.source, m.source_role, m.target_node_id, m.impacted_node_ids, m.relations, m.decay_half_life_days,
m.provenance_session_ids, m.source_ids, m.needs_review, m.user_verified, m.taint, m.citation_text, m.pinned,
m.deprecated_at, m.stale_at, m.valid_until, m.trust_level_scope, m.chunk_type, m.chunk_start_line, m.chunk_end_line,
m.context_prefix, m.redacted, m.fields, m.attributes, m.anchors, m.questions

-- name: said
p.body || char(31) || p.tags || char(31) || p.files

-- name: factors
select p.id as passage_id, m.id, m.type, m.source, {{confidence_then}}, m.created_at, m.event_time, m.last_accessed_at,
       m.access_count, m.session_id, m.source_role, m.decay_half_life_days, m.pinned, m.user_verified, m.anchors,
       p.body || ' ' || p.tags || ' ' || p.files as searched,
       coalesce(m.source_role = 'assistant' and instr(m.attributes, '"tools"') > 0, 0) as working,
       iif(m.questions = '[]', '', (select group_concat(value, ' ') from json_each(iif(json_valid(m.questions), m.questions, '[]')))) as asked
from json_each(:ids) i
cross join passages p on p.id = i.value
cross join memories m on m.id = p.owner_id

-- name: own_lasting
m.project_id = :project and m.type <> 'episode' and {{filter}}

-- name: personal_lasting
m.project_id = (select o.person_id from projects o where o.id = :project) and m.type <> 'episode' and {{filter}}

-- name: own_messages
:messages and m.project_id = :project and m.type = 'episode' and {{filter}}

-- name: may_wait
-- the few memories that may wait for a person
(select w.rowid as row from memories w indexed by memories_to_review
 where w.project_id in {{seen}} and w.needs_review = 1
 union select t.rowid from memories t indexed by memories_tied
 where t.project_id in {{seen}} and t.relations <> '[]') i
cross join memories m on m.rowid = i.row

-- name: filter
m.project_id in {{seen}}
and (:include_forgotten or m.deprecated = 0)
and case when :as_of is null then m.valid_until is null or m.valid_until > :now or :include_forgotten
    else {{known_since}} <= :as_of and (m.valid_until is null or m.valid_until > :as_of) end
and (:include_forgotten or m.stale_at is null or m.stale_at > coalesce(:as_of, :now))
and (:types is null or m.type in (select value from json_each(:types)))
and (:sources is null or m.source in (select value from json_each(:sources)))
and (:scopes is null or m.scope in (select value from json_each(:scopes)))
and (:visibilities is null or m.trust_level_scope in (select value from json_each(:visibilities)))
and (:session is null or m.session_id = :session)
and (:sessions is null or m.session_id in (select value from json_each(:sessions)))
and (:not_session is null or m.session_id is not :not_session)
and (:min_confidence is null or {{confidence_decayed}} >= :min_confidence)
and (:needs_review is null or {{to_review}} = :needs_review)
and (:since is null or coalesce(m.event_time, m.created_at) >= :since)
and (:until is null or coalesce(m.event_time, m.created_at) <= :until)
and (:tags is null or exists (
     select 1 from json_each(m.tags) t where folded(t.value) in (select folded(value) from json_each(:tags))))
and (:modules is null or {{in_module}})
and coalesce(:labels, :doc_types) is null
and (:about is null or m.id in (
     select p.owner_id from json_each(:about) i join passages p on p.id = i.value))

-- name: in_module
-- a memory belongs to the modules that it names and to the folders of its files; `.` has the files outside of folders
exists (
  select 1 from json_each(:modules) n join (
    select value from json_each(m.related_modules) union all select value from json_each(m.related_files)) t
  where t.value = n.value or substr(t.value, 1, length(n.value) + 1) = n.value || '/')
or exists (
  select 1 from json_each(:modules) n join json_each(m.related_files) f
  where n.value = '.' and instr(f.value, '/') = 0)

-- name: to_review
-- waits for a person: flagged, untrusted, or contradicted by another memory
(m.needs_review or (m.relations like '%conflicts_with%' and exists (
  select 1 from json_each(iif(json_valid(m.relations), m.relations, '[]')) r
  where json_extract(r.value, '$.kind') = 'conflicts_with' and json_extract(r.value, '$.auto'))))

-- name: known_since
-- as `Memory.known_since`
case when m.event_time is null or (m.source in ('agent_explicit', 'user_taught') and m.type <> 'episode')
  then m.created_at else min(m.created_at, m.event_time) end

-- name: confidence_decayed
decayed_confidence({{confidence_then}}, m.decay_half_life_days,
  case when m.last_accessed_at <= coalesce(:as_of, :now) then m.last_accessed_at
    else coalesce(m.event_time, m.created_at) end,
  coalesce(:as_of, :now), m.pinned or m.user_verified)

-- name: confidence_then
-- the stored confidence; as of an earlier moment, the one before its first later change, as the history recorded it
case when :as_of is null then m.confidence else coalesce(
  (select json_extract(iif(json_valid(e.detail), e.detail, '{}'), '$.confidence') from memory_events e
   where e.memory_id = m.id and e.at > :as_of and json_type(iif(json_valid(e.detail), e.detail, '{}'), '$.confidence') in ('real', 'integer')
   order by e.id limit 1),
  case when m.valid_until > :as_of then json_extract(iif(json_valid(m.attributes), m.attributes, '{}'), '$.confidence_before') end,
  m.confidence) end

-- name: standing_order
m.pinned desc, m.user_verified desc, m.confidence desc, m.access_count desc, m.created_at desc, m.id

-- name: document_columns
d.id as document_id, d.project_id, d.path, d.kind, d.title, d.label, d.doc_type, d.content_hash, d.bytes, d.modified,
d.indexed_at, d.confidence, d.access_count, d.last_accessed_at, d.pagerank, d.redacted, d.deprecated, d.mtime_ns,
d.size, d.status, d.front, d.superseded_by

-- name: chunk_columns
c.id as chunk_id, c.ordinal, c.heading, c.text, c.start_at, c.end_at, c.line, c.end_line

-- name: document_filter
d.project_id = :project
and (:include_forgotten or d.deprecated = 0)
and (:as_of is null or coalesce(d.modified, d.indexed_at) <= :as_of)
and (:types is null or p.kind in (select value from json_each(:types)))
and coalesce(:sources, :scopes, :visibilities, :session, :sessions, :tags, :modules) is null
and coalesce(:needs_review, 0) = 0
and (:min_confidence is null or document_confidence(
     d.confidence, coalesce(d.last_accessed_at, d.indexed_at), coalesce(:as_of, :now)) >= :min_confidence)
and (:since is null or coalesce(d.modified, d.indexed_at) >= :since)
and (:until is null or coalesce(d.modified, d.indexed_at) <= :until)
and (:labels is null or d.label in (select value from json_each(:labels)))
and (:doc_types is null or d.doc_type in (select value from json_each(:doc_types)))
and (:about is null or p.id in (select value from json_each(:about)))

-- name: placed
-- a believed passage of the project and of the given kinds, by default of any; needs no owner's row
p.project_id in {{seen}} and p.past = 0
  and (:kinds is null or p.kind in (select value from json_each(:kinds)))

-- name: owners
left join memories m on m.id = p.owner_id
left join chunks c on c.id = p.owner_id
left join documents d on d.id = c.document_id

-- name: session_state
select s.id, s.kind, s.created_at, s.last_at, s.title, s.consolidated_to, s.consolidated_at, s.trimmed_to, s.recap,
       s.archived_at,
       (select count(*) from memories m where m.project_id = s.project_id and m.session_id = s.id
        and m.type = 'episode' and m.deprecated = 0) as messages
from sessions s

-- name: entity_columns
e.id, e.project_id, e.name, e.type, e.label, e.summary, e.relation, e.protected, e.mentions, e.created_at, (
  select json_group_array(a.name) from entity_names a where a.entity = e.number and a.alias = 1) as aliases

-- name: merge_columns
g.merged_id as id, g.project_id, g.name, g.type, g.label, g.summary, g.relation, g.protected, g.created_at,
g.aliases,
json_array_length(g.memories) as mentions, g.kept_id, g.at, g.memories, g.gained_names, g.gained_memories,
g.gained_summary

-- name: light_columns
m.id, m.type, m.content, coalesce(m.citation_text, '') as citation,
  (select group_concat(value, char(10)) from json_each(iif(json_valid(m.related_files), m.related_files, '[]'))) as files,
  substr(coalesce(m.event_time, m.created_at), 1, 10) as day, m.source, m.confidence,
  m.decay_half_life_days as half_life, m.access_count, m.user_verified as verified,
  (m.taint is not null and m.user_verified = 0)
    or json_extract(iif(json_valid(m.attributes), m.attributes, '{}'), '$.proposal_for') is not null as quarantined,
  m.needs_review, m.pinned or m.user_verified as protected, m.trust_level_scope = 'personal' as personal,
  case when m.relations like '%conflicts_with%' then (
    select group_concat(json_extract(r.value, '$.memory'), char(10)) from json_each(iif(json_valid(m.relations), m.relations, '[]')) r
    where json_extract(r.value, '$.kind') = 'conflicts_with' and json_extract(r.value, '$.auto')) end as contradicts,
  julianday(:now) - julianday(case when m.last_accessed_at <= :now then m.last_accessed_at
    else coalesce(m.event_time, m.created_at) end) as days

-- name: light_current
m.deprecated = 0 and (m.valid_until is null or m.valid_until > :now)
and (m.stale_at is null or m.stale_at > :now) and m.session_id is not :session
and not exists (select 1 from supplied u
  where u.project_id = :project and u.session_id = :session and u.owner_id = m.id and u.at > coalesce(
    (select s.archived_at from sessions s where s.project_id = u.project_id and s.id = u.session_id), ''))

-- name: seen
-- last, because other fragments use it: the project, and the memories of the person who works in it, which follow them to all of their projects
(:project, (select o.person_id from projects o where o.id = :project))

-- name: has_sentences
-- a message with several sentences, or a memory with questions
iif(b.kind = 'episode', b.role is not 'assistant' and length(p.body) > 160,
  exists (select 1 from memories m where m.id = p.owner_id and m.questions <> '[]'))

-- name: asked
-- the questions of a memory as one text
coalesce((select group_concat(value, ' ') from memories m, json_each(iif(json_valid(m.questions), m.questions, '[]')) where m.id = p.owner_id), '')
