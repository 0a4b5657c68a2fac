-- Who issued the password of an account, or the one it follows: the issuer saw it, and may know what was chosen in a
-- session that began with it. Null when nobody but the owner knows it. No reference, because an issuer who is gone must
-- not make it look like one nobody knows.
alter table users add column password_issued_by bigint;
