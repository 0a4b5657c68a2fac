-- Who may be the one who made a token: a token outlives the session it was made in, and ends with what that began with.

alter table api_tokens add column let_in_by_id bigint;
