import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { KeyRing } from '../../crypto/keys.ts';
import { isActive, tokenTables } from '../../access/token-tables.ts';

/** What an installation needs for sending: the switch, and the keys that decrypt its secrets. */
export type Sending = { isOn: boolean; ring: KeyRing };

/** The id of an event in the headers of its requests; a restored database never gives it to another event. */
export const messageId = sql<string>`'evt_' || v.sequence || '_' || to_hex((extract(epoch from v.at) * 1000)::bigint)`;

const kidsOf = ({ all }: KeyRing) => all.map(({ kid }) => kid);

/**
 * The reason why a webhook `w` may not send, null if there is none; with `service_accounts s` and `users u`, its
 * account. If all tokens of the account have ended, nothing may read on its behalf.
 */
export const hindrance = ({ isOn, ring }: Sending) => sql<string | null>`case
  when ${!isOn}::boolean then 'off'
  when not u.is_enabled then 'account_off'
  when not exists (select from ${tokenTables} where t.user_id = w.service_account_id and ${isActive}) then 'no_token'
  when (substr(w.secret, 3, 12) = any(${kidsOf(ring)}::text[])) is not true then 'secret_lost' end`;

export const webhookTables = sql`webhooks w
  join service_accounts s on s.user_id = w.service_account_id
  join users u on u.id = s.user_id`;

/** True for a webhook that can send now. */
export const isFree = (sending: Sending) => sql<SqlBool>`w.status = 'active' and ${hindrance(sending)} is null`;
