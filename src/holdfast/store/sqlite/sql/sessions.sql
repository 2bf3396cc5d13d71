-- name: one
{{session_state}}
where s.project_id = :project and s.id = :id

-- name: all
{{session_state}}
where s.project_id = :project order by s.last_at desc, s.id limit :limit

-- Sessions with messages after the watermark that have ended: idle, archived, or left for another one.
-- name: due
{{session_state}}
where s.project_id = :project and s.id is not :but and s.said_to is not s.consolidated_to
  and (s.archived_at is not null or s.last_at <= :idle_since or :switched)
  and exists (
    select 1 from memories m where m.project_id = s.project_id and m.session_id = s.id and m.type = 'episode'
    and m.deprecated = 0 and m.rowid > coalesce((select w.rowid from memories w where w.id = s.consolidated_to), 0))
order by s.last_at, s.id limit :limit

-- By rowid: it grows in the order in which messages were committed, whatever time they carry.
-- name: messages_after
select {{columns}} from memories m
where m.project_id = :project and m.session_id = :id and m.type = 'episode' and m.deprecated = 0
  and m.rowid > coalesce((select w.rowid from memories w where w.id = :after), 0)
order by m.rowid limit :limit

-- name: count_after
select count(*) from memories m
where m.project_id = :project and m.session_id = :id and m.type = 'episode' and m.deprecated = 0
  and m.rowid > coalesce((select w.rowid from memories w where w.id = :after), 0)

-- name: trim
update sessions set trimmed_to = :to, recap = :recap where project_id = :project and id = :id

-- name: archive
update sessions set archived_at = :at where project_id = :project and id = :id

-- name: entitle
update sessions set title = :title where project_id = :project and id = :id

-- name: advance
update sessions set consolidated_to = :to, consolidated_at = :at
where project_id = :project and id = :id and consolidated_to is :since

-- name: insert_history
insert into history (id, project_id, session_id, at, text, tools, how, first_id, last_id)
values (:id, :project, :session, :at, :text, :tools, :how, :first, :last)

-- name: history
select id, session_id, at, text, tools, how, first_id, last_id from history
where project_id = :project and (:session is null or session_id = :session)
order by at, id

-- name: page
select text from pages where project_id = :project and name = :name

-- name: put_page
insert into pages (project_id, name, text, written_at) values (:project, :name, :text, :at)
on conflict (project_id, name) do update set text = excluded.text, written_at = excluded.written_at

-- name: usage
select purpose, calls, prompt_tokens, completion_tokens, refused from model_usage where day = :day order by purpose

-- name: used
select coalesce(sum(calls), 0) as calls, coalesce(sum(prompt_tokens + completion_tokens), 0) as tokens
from model_usage where day = :day

-- name: count_call
insert into model_usage (day, purpose, calls, prompt_tokens) values (:day, :purpose, 1, :tokens)
on conflict (day, purpose) do update set calls = calls + 1, prompt_tokens = prompt_tokens + excluded.prompt_tokens

-- name: count_refusal
insert into model_usage (day, purpose, refused) values (:day, :purpose, 1)
on conflict (day, purpose) do update set refused = refused + 1

-- name: settle
update model_usage set prompt_tokens = max(0, prompt_tokens - :reserved + :prompt),
  completion_tokens = completion_tokens + :completion
where day = :day and purpose = :purpose
