import { eventTypeNames, eventTypes } from '@tenure/contract';
import type { Event, EventType, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Holder } from '../../access/actor.ts';
import { either, entitiesIn } from '../../access/scope.ts';
import { privateFields } from '../../audit.ts';

export type StoredEvent = Omit<Event, 'data'> & {
  subject_id: number | null;
  entity_id: number | null;
  employee_id: number | null;
  changed: string[];
  by_user: boolean;
  by_token: boolean;
  sees_private: boolean;
};

/** The columns of an event `v` for a reader. */
export const eventColumns = (reader: Holder) => sql`
  v.sequence, v.type, v.at as timestamp, v.subject_id, v.entity_id, v.employee_id, v.changed, v.by_user, v.by_token,
  ${entitiesIn(reachOf(reader, 'employees.view_sensitive'), 'v.entity_id')} as sees_private`;

/** The requested types by the permission they need. */
const byPermission = (wanted: readonly EventType[]) =>
  Map.groupBy(wanted, (type): Permission => eventTypes[type].permission);

/** Excludes events `v` about the reader's own review, which people see in the review itself. */
export const isOfOthers = ({ employee_id }: Holder): RawBuilder<SqlBool> =>
  // an account without a person has no review
  employee_id === null ? sql<SqlBool>`true` : sql<SqlBool>`v.about_employee_id is distinct from ${employee_id}::bigint`;

/**
 * Events `v` of companies for which the reader has the permission of the type. A role limited to people or to
 * departments does not cover a whole company.
 */
export function readableEvents(reader: Holder, wanted: readonly EventType[]): RawBuilder<SqlBool> {
  const groups = [...byPermission(wanted)].map(
    ([permission, types]) =>
      sql<SqlBool>`(v.type = any(${types}::text[]) and ${entitiesIn(reachOf(reader, permission), 'v.entity_id')})`,
  );
  return sql<SqlBool>`${either(groups)} and ${isOfOthers(reader)}`;
}

const permissionsOfTypes = JSON.stringify(
  Object.fromEntries(eventTypeNames.map((type) => [type, eventTypes[type].permission])),
);

/** What service accounts can read: user_id, type, and the companies, or null for all. */
const readableByAccounts = sql`
  select distinct s.user_id, t.type, h.entity_ids
  from service_accounts s
  join role_assignments h on h.user_id = s.user_id
  join roles r on r.id = h.role_id and r.scope = 'all'
  join role_permissions p on p.role_id = r.id
  join jsonb_each_text(${permissionsOfTypes}::jsonb) as t (type, permission) on t.permission = p.permission`;

/** `readableEvents` for a service account and an event by its table alias; one look-up per statement, not per event. */
export const isReadableBy = (account: RawBuilder<unknown>, alias: 's' | 'v') => {
  const [type, entity] = [sql.ref(`${alias}.type`), sql.ref(`${alias}.entity_id`)];
  return sql<SqlBool>`(
    (${account}, ${type}) in (select a.user_id, a.type from (${readableByAccounts}) as a where a.entity_ids is null)
    or (${account}, ${type}, ${entity}) in (
      select a.user_id, a.type, c from (${readableByAccounts}) as a cross join unnest(a.entity_ids) as c))`;
};

/** The events that the reader gets from the feed. */
export const visibleEvents = (reader: Holder, wanted: readonly EventType[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${readableEvents(reader, wanted)} and ${entitiesIn(reachOf(reader, 'events.view'), 'v.entity_id')}`;

export const presentEvent = ({ sequence, type, timestamp, ...stored }: StoredEvent): Event => ({
  sequence,
  type,
  timestamp,
  data: {
    id: stored.subject_id,
    entity_id: stored.entity_id,
    employee_id: stored.employee_id,
    changed: stored.sees_private
      ? stored.changed
      : [...new Set(stored.changed.map((name) => (privateFields.has(name) ? 'private' : name)))],
    actor: { type: stored.by_token ? 'token' : stored.by_user ? 'user' : 'system' },
  },
});
