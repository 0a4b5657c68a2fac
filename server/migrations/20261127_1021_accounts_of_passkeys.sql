-- What a passkey knows an account by, and people who sign in with passkeys and no more with a password.

alter table users
  -- 32 random bytes, given with the first passkey; says nothing of the account to others
  add column webauthn_id bytea,
  add column password_sign_in boolean not null default true;
