-- name: put_session
insert into observed_sessions (project_id, session_id, at, steps, branches, prompt, later, untrusted)
values (:project, :session, :at, :steps, :branches, :prompt, :later, :untrusted)

-- name: drop_session
delete from observed_sessions where project_id = :project and session_id = :session

-- name: put_file
insert into observed_files (project_id, session_id, path, first_step, reads, edits, edit_step)
values (:project, :session, :path, :first, :reads, :edits, :edit)

-- name: put_observation
insert into observations (project_id, signal, key, session_id, files, vals, steps, taint)
values (:project, :signal, :key, :session, :files, :vals, :steps, :taint) on conflict do nothing

-- name: sessions
select session_id, at, steps, branches, prompt, later, untrusted from observed_sessions where project_id = :project
order by at desc, session_id limit :limit

-- name: files
-- One JSON array for each session: reading a row for each file takes three times as long.
select f.session_id, json_group_array(json_array(f.path, f.first_step, f.reads, f.edits, f.edit_step))
from observed_files f
where f.project_id = :project and f.session_id in (select value from json_each(:sessions)) group by f.session_id

-- name: renamed_files
select distinct path from observed_files where project_id = :project and path in (select value from json_each(:names))

-- name: rename_files
update or replace observed_files set path = :new where project_id = :project and path = :old

-- name: renamed_observations
-- The names are compared by the caller: here, a row only has to contain one of them.
select signal, key, session_id, files, vals from observations o where project_id = :project and exists (
  select 1 from json_each(:names) n where instr(o.key, n.value) or instr(o.files, n.value) or instr(o.vals, n.value))

-- name: rename_observation
update or replace observations set key = :new, files = :files, vals = :vals
where project_id = :project and signal = :signal and key = :key and session_id = :session_id

-- name: promoted
select signal, key, memory_id from promotions where project_id = :project

-- name: rename_promotion
update or ignore promotions set key = :new where project_id = :project and signal = :signal and key = :key

-- name: seen
select o.signal, o.key, o.session_id, o.files, o.vals, o.steps, o.taint from observations o
join observed_sessions s on s.project_id = o.project_id and s.session_id = o.session_id
where o.project_id = :project and o.signal = :signal and (:key is null or o.key = :key)
order by s.at desc, o.session_id limit 100

-- name: promotions
select p.signal, p.key, p.memory_id, p.sessions,
  case when m.id is null or m.deprecated_at is not null or m.valid_until is not null then 'ended'
    when m.user_verified or m.pinned or m.source = 'user_taught' then 'held'
    when m.stale_at is not null then 'stale' else 'valid' end as state
from promotions p left join memories m on m.id = p.memory_id
where p.project_id = :project and (p.signal <> 'work_state' or m.deprecated_at is null and m.valid_until is null)

-- name: reviews
-- A memory is rejected if it was forgotten or flagged, and neither restored nor confirmed since.
select p.signal, sum(m.user_verified) as confirmed,
  sum(m.user_verified = 0 and (m.deprecated = 1 or m.needs_review = 1) and exists (
    select 1 from memory_events e where e.memory_id = m.id and e.verb in ('forget', 'flag')
  )) as rejected
from (select distinct signal, memory_id from promotions where project_id = :project) p
join memories m on m.id = p.memory_id group by p.signal

-- name: put_promotion
insert into promotions (project_id, signal, key, memory_id, sessions) values (:project, :signal, :key, :memory, :sessions)
on conflict (project_id, signal, key) do update set memory_id = excluded.memory_id, sessions = excluded.sessions
