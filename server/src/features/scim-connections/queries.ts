import type {
  ProvisionedPerson,
  QueryOut,
  ScimConnection,
  ScimRequest,
  scimConnections,
  ScimWaiting,
} from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import { peopleFor } from '../../access/scope.ts';
import type { Config } from '../../config.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx, ServiceCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';

type Computed = 'base_url' | 'allowed_actions';
type Shown = Omit<ScimConnection, Computed>;

/** A connection as it is stored, locked for a change. */
export type StoredConnection = Pick<
  ScimConnection,
  'id' | 'name' | 'is_enabled' | 'is_dry_run' | 'entity_ids' | 'provider_id' | 'unmatched' | 'revision'
> & { user_id: number };

const settings = sql`c.id, c.name, c.is_enabled, c.is_dry_run, c.entity_ids, c.provider_id, c.unmatched, c.revision`;
const instant = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const token = sql`(
  select json_build_object('hint', t.hint, 'created_at', ${instant('t.created_at')}, 'expires_at', ${instant('t.expires_at')},
    'last_used_at', ${instant('t.last_used_at')}, 'last_used_ip', t.last_used_ip)
  from api_tokens t join users a on a.id = t.user_id
  where t.user_id = c.user_id and t.revoked_at is null and t.epoch = a.token_epoch
  order by t.id desc limit 1) as token`;
const columns = sql`${settings}, ${token},
  (select count(*) from scim_users s where s.connection_id = c.id) as users_count,
  (select count(*) from scim_users s where s.connection_id = c.id and s.user_id is null and s.dismissed_at is null)
    as waiting_count,
  (select count(*) from scim_groups g where g.connection_id = c.id) as groups_count,
  (select count(*) from sign_in_blocks b where b.source = 'scim' and b.connection_id = c.id) as blocked_count,
  (select max(r.at) from scim_requests r where r.connection_id = c.id) as last_request_at,
  c.created_at, c.updated_at`;

/** An administrator who may see a connection may change it. */
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

/** A connection as answers show it. Throws 404. */
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
    select ${settings}, c.user_id from scim_connections c where c.id = ${id} for update`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

export type Place = Pick<StoredConnection, 'id' | 'name' | 'is_enabled' | 'is_dry_run' | 'entity_ids'>;

/**
 * A connection whose users the actor may link. Who has not all of its companies in scope does not see who waits: that
 * could be people of the others. Throws 404.
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
 * Users who wait and whom the actor may see: an identity provider sends people of all companies, so one whose address,
 * name or number belongs to an account out of the actor's reach is not shown.
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

type Provisioned = Omit<ProvisionedPerson, 'allowed_actions'> & { is_in_effect: boolean };

/** Users who wait, of all connections whose users the actor may link: those of `findForLinks`. */
export async function listAllWaiting({ db, actor }: ReadCtx, query: WaitingQuery) {
  const reach = reachOf(actor, 'employees.reset_password');
  const isCovered = sql<SqlBool>`(${reach.everything}::boolean or c.entity_ids <@ ${reach.entity_ids}::bigint[])`;
  const where = every([waitingFor(actor, isCovered), ...holdsWords([...waitingWords, sql`c.name`], query.search)]);
  const tables = sql`scim_users s join scim_connections c on c.id = s.connection_id`;
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Provisioned>`
      select ${waitingColumns}, json_build_object('id', c.id, 'name', c.name) as connection,
             c.is_enabled and not c.is_dry_run as is_in_effect
      from ${tables} where ${where}
      ${orderedBy(waitingSorts[query.sort_by ?? 'created_at'], query.sort_direction, sql`s.id`)}`,
    total: sql`select count(*) from ${tables} where ${where}`,
  });
  const shown = rows.map(({ is_in_effect, ...row }) => ({
    ...row,
    allowed_actions: is_in_effect ? ['link', 'dismiss'] : ['dismiss'],
  }));
  return { rows: shown, total };
}

/** One of the users who wait, locked. Throws 404. */
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
