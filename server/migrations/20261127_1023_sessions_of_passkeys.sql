-- With which passkey a session began, so that it ends with the passkey.

alter table session_register add column authenticator_id bigint;
