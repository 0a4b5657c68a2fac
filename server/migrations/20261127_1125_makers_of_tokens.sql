-- Tokens that were made before sessions kept who let their person in: it is taken from how their maker got in. They end
-- with that, as tokens that are made today do.

update api_tokens t
set let_in_by_id = coalesce(
  nullif(u.password_issued_by, u.id),
  (select a.let_in_by_id from authenticators a where a.user_id = u.id and a.let_in_by_id <> u.id order by a.id limit 1),
  (select i.linked_by_id from user_identities i where i.user_id = u.id and i.linked_by_id <> u.id order by i.id limit 1))
from users u
where u.id = coalesce(t.created_by, t.user_id) and t.let_in_by_id is null and t.revoked_at is null;
