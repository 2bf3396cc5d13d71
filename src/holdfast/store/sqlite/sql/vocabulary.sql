-- name: grown_to
select (select coalesce(max(id), 0) from passages) + (select coalesce(max(seq), 0) from vectors)

-- name: exists
select 1 from passages_fts where passages_fts match :match limit 1

-- name: near
select v.word from json_each(:words) w cross join vocabulary v on v.word = w.value limit 16

-- name: about
select word from vocabulary
where word >= :start and word < :start || char(1114111) and length(word) between :shortest and :longest limit 250

-- name: starting
select word from vocabulary where word >= :start and word < :start || char(1114111) limit 500

-- name: common
-- higher counts make no difference, and counting takes time
select count(*) from (select 1 from passages_fts where passages_fts match :match limit 1000)
