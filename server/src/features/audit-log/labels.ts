import type { AuditEntry } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import { departmentsIn, entitiesIn, visiblePeople } from '../../access/scope.ts';
import type { ReadCtx } from '../../http/context.ts';

/** An entry before the labels of the records in its changes are added. */
export type Entry = Omit<AuditEntry, 'labels'>;

const kindsOfIds = ['entity', 'department', 'employee', 'user', 'provider', 'service_account'] as const;
type Kind = (typeof kindsOfIds)[number];

/** Fields with ids, and their kinds. Only departments have a `parent_id`. */
const kinds: Readonly<Record<string, Kind>> = {
  entity_id: 'entity',
  department_id: 'department',
  parent_id: 'department',
  reporting_manager_id: 'employee',
  manager_id: 'employee',
  team_lead_id: 'employee',
  reviewer_id: 'employee',
  owner_id: 'employee',
  department_ids: 'department',
  entity_ids: 'entity',
  provider_id: 'provider',
  sso_provider_ids: 'provider',
  service_account_id: 'service_account',
  owner_ids: 'user',
  // roles contain their companies, and rules roles
  roles: 'entity',
  rules: 'entity',
};
const ofRoles: ReadonlySet<string> = new Set(['roles', 'rules']);

/** The ids in a value: the value itself, the items of a list, or the companies of roles. */
function idsIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value === 'object' && value !== null && 'entity_ids' in value) return idsIn(value.entity_ids);
  return [];
}

/** The department ids of roles. */
function rolePlaces(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(rolePlaces);
  if (typeof value === 'object' && value !== null && 'department_ids' in value) return idsIn(value.department_ids);
  return [];
}

/** A mention within a role has the kind in its key, because the role has companies too. */
type Mention = { field: string; kind: Kind; ids: number[]; keyed?: true };

const mentions = ({ changes }: Entry): Mention[] =>
  Object.entries(changes).flatMap(([field, { from, to }]) => {
    const kind = kinds[field];
    if (!kind) return [];
    const named: Mention = { field, kind, ids: [...idsIn(from), ...idsIn(to)] };
    const places = ofRoles.has(field) ? [...rolePlaces(from), ...rolePlaces(to)] : [];
    return places.length > 0 ? [named, { field, kind: 'department', ids: places, keyed: true }] : [named];
  });

/** Names of the visible records with these ids, with one statement. */
async function namesOf({ db, actor }: ReadCtx, wanted: Record<Kind, number[]>): Promise<ReadonlyMap<string, string>> {
  const reach = reachOf(actor, 'audit.view');
  const among = (kind: Kind): RawBuilder<unknown> => sql`any(${wanted[kind]}::bigint[])`;
  // these belong to no company
  const seesAll = sql`${reach.everything}::boolean`;
  const { rows } = await sql<{ key: string; name: string }>`
    select 'entity:' || c.id as key, c.name from entities c
    where c.id = ${among('entity')} and ${entitiesIn(reach, 'c.id')}
    union all
    select 'department:' || d.id, d.name from departments d
    where d.id = ${among('department')} and ${departmentsIn(actor, reach)}
    union all
    select 'employee:' || e.id, e.name from employees e
    where e.id = ${among('employee')} and ${visiblePeople(actor)}
    union all
    select 'user:' || u.id, coalesce(e.name, u.email) from users u left join employees e on e.user_id = u.id
    where u.id = ${among('user')} and case when e.id is null then ${seesAll} else ${visiblePeople(actor)} end
    union all
    select 'provider:' || p.id, p.name from identity_providers p where p.id = ${among('provider')} and ${seesAll}
    union all
    select 'service_account:' || s.user_id, s.name from service_accounts s
    where s.user_id = ${among('service_account')} and ${seesAll}`.execute(db);
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** Adds the visible names of referenced records to entries. */
export async function labelled(ctx: ReadCtx, entries: readonly Entry[]): Promise<AuditEntry[]> {
  const mentioned = entries.flatMap(mentions);
  const ids = (kind: Kind) => [...new Set(mentioned.filter((one) => one.kind === kind).flatMap((one) => one.ids))];
  const wanted = Object.fromEntries(kindsOfIds.map((kind) => [kind, ids(kind)])) as Record<Kind, number[]>;
  const isEmpty = Object.values(wanted).every((list) => list.length === 0);
  const names = isEmpty ? new Map<string, string>() : await namesOf(ctx, wanted);
  const named = ({ kind, ids: found, keyed }: Mention) =>
    Object.fromEntries(
      found.flatMap((id) => {
        const name = names.get(`${kind}:${id}`);
        return name === undefined ? [] : [[keyed ? `${kind}:${id}` : String(id), name]];
      }),
    );
  return entries.map((entry) => ({
    ...entry,
    labels: mentions(entry).reduce<AuditEntry['labels']>(
      (labels, one) => ({ ...labels, [one.field]: { ...labels[one.field], ...named(one) } }),
      {},
    ),
  }));
}
