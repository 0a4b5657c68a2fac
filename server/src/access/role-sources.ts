import type { roleSources } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

/** What assigns roles by group rules: a single sign-on provider or a SCIM connection. */
export type RoleSource = { kind: (typeof roleSources)[number]; id: number; name: string };

const columns = { identity_provider: 'provider_id', scim_connection: 'scim_connection_id' } as const;

/** True for an assignment that a rule of this source made. */
export const isFrom = ({ kind, id }: Pick<RoleSource, 'kind' | 'id'>, alias: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${alias}.${columns[kind]}`)} = ${id})`;

/** True for an assignment that a rule made, whatever its source. */
export const isByRule = (alias: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(coalesce(${sql.ref(`${alias}.provider_id`)}, ${sql.ref(`${alias}.scim_connection_id`)}) is not null)`;

/** True for an assignment that was made by hand. */
export const isByHand = (alias: string): RawBuilder<SqlBool> => sql<SqlBool>`(not ${isByRule(alias)})`;
