import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { plainAddress } from '../sso/person.ts';
import { enterpriseSchema } from './attributes.ts';
import type { Call } from './connection.ts';
import { isReached } from './connection.ts';
import type { Document } from './patch.ts';
import type { Complex } from './values.ts';

/** The account of a provider's user, and who answers for the match: who linked the subject, or set the address. */
export type Match = {
  user_id: number;
  name: string;
  entity_id: number | null;
  linked_by: 'subject' | 'address' | 'number';
  linked_by_id: number | null;
};

/** A person's work address: the one of type work, else the primary one, else the first; else the user name. */
export function addressOf(document: Document): string | null {
  const emails = (document['emails'] ?? []) as Complex[];
  const chosen =
    emails.find(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work') ??
    emails.find(({ primary }) => primary === true) ??
    emails[0];
  const address = chosen?.['value'] ?? document['userName'];
  return typeof address === 'string' && address.length <= 190 ? plainAddress(address) : null;
}

const numberOf = (document: Document): string | null => {
  const { employeeNumber } = (document[enterpriseSchema] ?? {}) as Complex;
  return typeof employeeNumber === 'string' ? employeeNumber : null;
};

/** An administrator answers for it permanently, because there is no group role that they may not give. */
const unlessAdmin = (id: RawBuilder<unknown>) =>
  sql`case when not exists (select from users w where w.id = ${id} and w.is_admin) then ${id} end`;

/**
 * The account that a user belongs to: by the subject of the linked provider, else by the work address, else by the
 * employee number. Never one out of reach, an administrator, an emergency account, or an account that a connection
 * already has: if the strongest of the three names such an account, the others would name another person.
 */
export async function findMatch({ db, connection }: Call, document: Document): Promise<Match | undefined> {
  const { externalId } = document as { externalId?: string };
  // the index uses the folded number
  const number = numberOf(document);
  const { rows } = await sql<Match & { rank: number; is_eligible: boolean }>`
    with candidate as (
      select 1 as rank, 'subject' as linked_by, i.user_id, i.linked_by_id from user_identities i
      where i.provider_id = ${connection.provider_id}::bigint and i.subject = ${externalId ?? null}
      union all
      select 2, 'address', a.id, a.address_set_by
      from users a where a.email = ${addressOf(document)}
      union all
      select 3, 'number', p.user_id, null from employees p
      where fold(p.employee_number) = fold(${number}) and p.employee_number = ${number}
    )
    select c.rank, c.linked_by, ${unlessAdmin(sql`c.linked_by_id`)} as linked_by_id, u.id as user_id, coalesce(e.name, u.email) as name, e.entity_id,
      u.account_kind = 'person' and not u.is_admin and not u.break_glass and ${isReached(connection)}
        and not exists (select from scim_users s where s.user_id = u.id) as is_eligible
    from candidate c
    join users u on u.id = c.user_id
    left join employees e on e.user_id = u.id
    order by c.rank, u.id limit 4
    for no key update of u`.execute(db);
  const [first, second] = rows;
  return first?.is_eligible && second?.rank !== first.rank ? first : undefined;
}
