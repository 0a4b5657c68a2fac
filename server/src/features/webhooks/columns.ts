import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { KeyRing } from '../../crypto/keys.ts';
import { isActive, tokenTables } from '../../access/token-tables.ts';

/** What an installation needs to send: the switch, and keys that open its secrets. */
export type Sending = { isOn: boolean; ring: KeyRing };

/** The key of an event in the headers of its requests, which a restored database does not give to another event. */
export const messageId = sql<string>`'evt_' || v.sequence || '_' || to_hex((extract(epoch from v.at) * 1000)::bigint)`;

const kidsOf = ({ all }: KeyRing) => all.map(({ kid }) => kid);

/**
 * Why nothing of a webhook `w` leaves, null for no reason: with `service_accounts s` and `users u`, its account. An
 * account whose tokens have all ended is one that nothing may read for any more.
 */
export const hindrance = ({ isOn, ring }: Sending) => sql<string | null>`case
  when ${!isOn}::boolean then 'off'
  when not u.is_enabled then 'account_off'
  when not exists (select from ${tokenTables} where t.user_id = w.service_account_id and ${isActive}) then 'no_token'
  when (substr(w.secret, 3, 12) = any(${kidsOf(ring)}::text[])) is not true then 'secret_lost' end`;

export const webhookTables = sql`webhooks w
  join service_accounts s on s.user_id = w.service_account_id
  join users u on u.id = s.user_id`;

/** True for a webhook that may send now. */
export const isFree = (sending: Sending) => sql<SqlBool>`w.status = 'active' and ${hindrance(sending)} is null`;
