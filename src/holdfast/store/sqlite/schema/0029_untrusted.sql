-- The untrusted tool whose output the session had read and the step of that, as JSON; and the step of a file's first edit:
-- what was edited after it is tainted.
alter table observed_sessions add column untrusted text;
alter table observed_files add column edit_step integer not null default 0;
