import type { roleSources } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

/** What gives roles by rules for its groups: a provider of single sign-on, or a connection of SCIM. */
export type RoleSource = { kind: (typeof roleSources)[number]; id: number; name: string };

const columns = { identity_provider: 'provider_id', scim_connection: 'scim_connection_id' } as const;

/** True for an assignment that a rule of this source gave. */
export const isFrom = ({ kind, id }: Pick<RoleSource, 'kind' | 'id'>, alias: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${alias}.${columns[kind]}`)} = ${id})`;

/** True for an assignment that a rule gave, of whatever source. */
export const isByRule = (alias: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(coalesce(${sql.ref(`${alias}.provider_id`)}, ${sql.ref(`${alias}.scim_connection_id`)}) is not null)`;

/** True for an assignment that was given by hand. */
export const isByHand = (alias: string): RawBuilder<SqlBool> => sql<SqlBool>`(not ${isByRule(alias)})`;
