import type {
  NewcomerOfProvider,
  ProvisionedPerson,
  QueryOut,
  ScimConnection,
  ScimRequest,
  scimConnections,
  ScimWaiting,
} from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachesEntity, reachOf } from '../../access/actor.ts';
import { ownersIn } from '../../access/owners.ts';
import { either, peopleFor, placesIn } from '../../access/scope.ts';
import type { Config } from '../../config.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx, ServiceCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';

type Computed = 'base_url' | 'allowed_actions';
type Shown = Omit<ScimConnection, Computed>;

/** A connection as stored, locked for a change. */
export type StoredConnection = Pick<
  ScimConnection,
  'id' | 'name' | 'is_enabled' | 'is_dry_run' | 'entity_ids' | 'provider_id' | 'unmatched' | 'revision'
> & { user_id: number; owner_ids: number[] };

const settings = sql`c.id, c.name, c.is_enabled, c.is_dry_run, c.entity_ids, c.provider_id, c.unmatched, c.revision`;
const instant = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const token = sql`(
  select json_build_object('hint', t.hint, 'created_at', ${instant('t.created_at')}, 'expires_at', ${instant('t.expires_at')},
    'last_used_at', ${instant('t.last_used_at')}, 'last_used_ip', t.last_used_ip)
  from api_tokens t join users a on a.id = t.user_id
  where t.user_id = c.user_id and t.revoked_at is null and t.epoch = a.token_epoch
  order by t.id desc limit 1) as token`;
const columns = sql`${settings}, ${ownersIn('c.owner_ids')}, ${token},
  (select count(*) from scim_users s where s.connection_id = c.id) as users_count,
  (select count(*) from scim_users s where s.connection_id = c.id and s.user_id is null and s.dismissed_at is null)
    as waiting_count,
  (select count(*) from scim_groups g where g.connection_id = c.id) as groups_count,
  (select count(*) from sign_in_blocks b where b.source = 'scim' and b.connection_id = c.id) as blocked_count,
  (select count(*) from scim_users s where s.connection_id = c.id and s.withheld_roles <> '{}') as withheld_count,
  (select max(r.at) from scim_requests r where r.connection_id = c.id) as last_request_at,
  c.created_at, c.updated_at`;

/** Administrators who can see a connection can change it. */
const present = (config: Config, row: Shown): ScimConnection => ({
  ...row,
  base_url: `${config.APP_URL}/scim/v2`,
  allowed_actions: ['update', row.is_enabled ? 'disable' : 'enable', 'token', 'delete'],
});

type Query = QueryOut<typeof scimConnections.list>;
const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
  name: sql`fold(c.name)`,
  created_at: sql`c.created_at`,
};

export async function listConnections({ db, deps }: ServiceCtx, query: Query) {
  const where = every(holdsWords([sql`c.name`], query.search));
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Shown>`
      select ${columns} from scim_connections c where ${where}
      ${orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`c.id`)}`,
    total: sql`select count(*) from scim_connections c where ${where}`,
  });
  return { rows: rows.map((row) => present(deps.config, row)), total };
}

/** A connection as responses show it. Throws 404. */
export async function readConnection(
  { db, deps }: Pick<ServiceCtx, 'db' | 'deps'>,
  id: number,
): Promise<ScimConnection> {
  const { rows } = await sql<Shown>`select ${columns} from scim_connections c where c.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(deps.config, row);
}

/** A connection, locked for a change. Throws 404. */
export async function lockConnection({ db }: Pick<ReadCtx, 'db'>, id: number): Promise<StoredConnection> {
  const { rows } = await sql<StoredConnection>`
    select ${settings}, c.owner_ids, c.user_id from scim_connections c where c.id = ${id} for update`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

export type Place = Pick<StoredConnection, 'id' | 'name' | 'is_enabled' | 'is_dry_run' | 'entity_ids'>;

/**
 * A connection whose users the actor can link. Only users with all of its companies in scope see the unlinked ones,
 * because these could belong to any of the companies. Throws 404.
 */
export async function findForLinks({ db, actor }: ReadCtx, id: number): Promise<Place> {
  const { rows } = await sql<Place>`
    select c.id, c.name, c.is_enabled, c.is_dry_run, c.entity_ids from scim_connections c where c.id = ${id}`.execute(
    db,
  );
  const [connection] = rows;
  const reach = reachOf(actor, 'employees.reset_password');
  const isReached = connection?.entity_ids?.every((entity) => reach.entity_ids.includes(entity)) ?? false;
  if (!connection || !(reach.everything || isReached)) throw notFound();
  return connection;
}

const ofOne = (connectionId: number) => sql<SqlBool>`s.connection_id = ${connectionId}`;

const sentNumber = sql`(s.sent #>> '{urn:ietf:params:scim:schemas:extension:enterprise:2.0:User,employeeNumber}')`;
const waitingColumns = sql`s.id, s.user_name, s.sent ->> 'displayName' as display_name,
  s.sent #>> '{name,givenName}' as first_name, s.sent #>> '{name,familyName}' as last_name,
  s.sent ->> 'title' as job_title, s.sent #>> '{emails,0,value}' as email,
  ${sentNumber} as employee_number,
  s.sent #>> '{urn:ietf:params:scim:schemas:extension:enterprise:2.0:User,department}' as department,
  s.is_active, s.created_at`;

type WaitingQuery = QueryOut<typeof scimConnections.waiting>;
const waitingSorts: Record<NonNullable<WaitingQuery['sort_by']>, RawBuilder<unknown>> = {
  created_at: sql`s.created_at`,
  user_name: sql`fold(s.user_name)`,
};

/**
 * Unlinked users that the actor can see. An identity provider sends people of all companies, so this hides users whose
 * address, name or number belongs to an account outside the actor's scope.
 */
function waitingFor(actor: ReadCtx['actor'], ofConnection: RawBuilder<SqlBool>) {
  const waits = sql<SqlBool>`${ofConnection} and s.user_id is null and s.dismissed_at is null`;
  if (reachOf(actor, 'employees.reset_password').everything) return waits;
  const isOutside = sql`not coalesce(${peopleFor(actor, 'employees.reset_password')}, false)`;
  return sql<SqlBool>`${waits}
    and not exists (
      select from (
        select s.user_name as address
        union all select one ->> 'value' from jsonb_array_elements(s.sent -> 'emails') one) sent
      join users u on fold_email(u.email) = fold_email(sent.address)
      left join employees e on e.user_id = u.id
      where ${isOutside})
    and not exists (select from employees e where fold(e.employee_number) = fold(${sentNumber}) and ${isOutside})`;
}

const waitingWords = [sql`s.user_name`, sql`s.sent ->> 'displayName'`, sql`s.sent #>> '{emails,0,value}'`];

export async function listWaiting({ db, actor }: ReadCtx, connectionId: number, query: WaitingQuery) {
  const where = every([waitingFor(actor, ofOne(connectionId)), ...holdsWords(waitingWords, query.search)]);
  return selectPage(db, query, {
    rows: sql<ScimWaiting>`
      select ${waitingColumns} from scim_users s where ${where}
      ${orderedBy(waitingSorts[query.sort_by ?? 'created_at'], query.sort_direction, sql`s.id`)}`,
    total: sql`select count(*) from scim_users s where ${where}`,
  });
}

/**
 * The actor's actions on users of a connection that they cover. A link changes the state of an account, so a connection
 * that is disabled or in a dry run gets none.
 */
function actionsOn(actor: ReadCtx['actor'], { is_enabled, is_dry_run, entity_ids }: Omit<Place, 'id' | 'name'>) {
  if (!is_enabled || is_dry_run) return ['dismiss'];
  const adds = reachOf(actor, 'employees.create');
  const mayAdd =
    holds(actor, 'employees.create') &&
    (adds.everything || entity_ids === null || entity_ids.some((id) => reachesEntity(adds, id)));
  return ['link', ...(mayAdd ? ['create'] : []), 'dismiss'];
}

type Provisioned = Omit<ProvisionedPerson, 'allowed_actions'> & { of: Omit<Place, 'id' | 'name'> };

/** Unlinked users of all connections whose users the actor can link: those of `findForLinks`. */
export async function listAllWaiting({ db, actor }: ReadCtx, query: WaitingQuery) {
  const reach = reachOf(actor, 'employees.reset_password');
  const isCovered = sql<SqlBool>`(${reach.everything}::boolean or c.entity_ids <@ ${reach.entity_ids}::bigint[])`;
  const where = every([waitingFor(actor, isCovered), ...holdsWords([...waitingWords, sql`c.name`], query.search)]);
  const tables = sql`scim_users s join scim_connections c on c.id = s.connection_id`;
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Provisioned>`
      select ${waitingColumns}, json_build_object('id', c.id, 'name', c.name) as connection,
             json_build_object('is_enabled', c.is_enabled, 'is_dry_run', c.is_dry_run, 'entity_ids', c.entity_ids) as of
      from ${tables} where ${where}
      ${orderedBy(waitingSorts[query.sort_by ?? 'created_at'], query.sort_direction, sql`s.id`)}`,
    total: sql`select count(*) from ${tables} where ${where}`,
  });
  return { rows: rows.map(({ of, ...row }) => ({ ...row, allowed_actions: actionsOn(actor, of) })), total };
}

type NamedPlace = NonNullable<NewcomerOfProvider['place']>;

/** The department with a code or name in the companies of a connection, among those where the actor can add people. */
async function findPlace(
  { db, actor }: ReadCtx,
  { entity_ids }: Place,
  named: string | null,
): Promise<NamedPlace | null> {
  if (named === null) return null;
  const reach = reachOf(actor, 'employees.create');
  const { rows } = await sql<NamedPlace & { by_code: boolean }>`
    select json_build_object('id', e.id, 'name', e.name) as entity, json_build_object('id', d.id, 'name', d.name) as department,
           coalesce(fold(d.code) = fold(${named}), false) as by_code
    from departments d join entities e on e.id = d.entity_id
    where fold(${named}) in (fold(d.code), fold(d.name)) and d.status = 'active'
      and (${entity_ids}::bigint[] is null or d.entity_id = any(${entity_ids}::bigint[]))
      and ${reach.everything ? sql<SqlBool>`true` : either(placesIn(reach, 'd', 'id'))}`.execute(db);
  const byCode = rows.filter((row) => row.by_code);
  const [found, other] = byCode.length > 0 ? byCode : rows;
  return found && !other ? { entity: found.entity, department: found.department } : null;
}

/** An unlinked user, for the form that adds the person. Throws 404. */
export async function readWaiting(ctx: ReadCtx, connection: Place, id: string): Promise<NewcomerOfProvider> {
  const { rows } = await sql<ScimWaiting>`
    select ${waitingColumns} from scim_users s
    where ${waitingFor(ctx.actor, ofOne(connection.id))} and s.id = ${id}::uuid`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound();
  return {
    ...row,
    connection: { id: connection.id, name: connection.name },
    place: await findPlace(ctx, connection, row.department),
    allowed_actions: actionsOn(ctx.actor, connection),
  };
}

/** Finds and locks an unlinked user. Throws 404. */
export async function lockWaiting({ db, actor }: ReadCtx, connectionId: number, id: string): Promise<ScimWaiting> {
  const { rows } = await sql<ScimWaiting>`
    select ${waitingColumns} from scim_users s
    where ${waitingFor(actor, ofOne(connectionId))} and s.id = ${id}::uuid for update of s`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

type RequestQuery = QueryOut<typeof scimConnections.requests>;

export async function listRequests({ db }: ReadCtx, connectionId: number, query: RequestQuery) {
  const where = every([
    sql`r.connection_id = ${connectionId}`,
    ...holdsWords([sql`r.method`, sql`r.resource`, sql`r.effect`, sql`r.detail`, sql`e.name`], query.search),
    ...(query.refused === undefined ? [] : [sql<boolean>`(r.status >= 400) = ${query.refused}`]),
  ]);
  const tables = sql`scim_requests r left join employees e on e.user_id = r.user_id`;
  return selectPage(db, query, {
    rows: sql<ScimRequest>`
      select r.id, r.at, r.method, r.resource, r.target, r.status, r.effect, r.detail, r.changed, r.ignored, r.is_dry_run,
        e.name as person
      from ${tables} where ${where}
      ${orderedBy(sql`r.at`, query.sort_direction ?? 'desc', sql`r.id desc`)}`,
    total: sql`select count(*) from ${tables} where ${where}`,
  });
}
