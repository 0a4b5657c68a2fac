-- Tokens by the moment from which someone should look at them: two weeks before their end, or 90 days after their last
-- use. The use of a token is noted once a minute at most, so the index is seldom written.

create index concurrently if not exists api_tokens_attention_idx on api_tokens (
  least((expires_at at time zone 'UTC') - interval '14 days',
        (coalesce(last_used_at, created_at) at time zone 'UTC') + interval '90 days'), id)
  where revoked_at is null;
