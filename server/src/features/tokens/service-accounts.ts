import { text } from '@tenure/contract';
import type { BodyOut, QueryOut, ServiceAccount, serviceAccounts } from '@tenure/contract';
import { isIP, isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { changingRights } from '../../access/growth.ts';
import { checkedOwners, ownersIn } from '../../access/owners.ts';
import { changesBetween, record } from '../../audit.ts';
import { randomToken } from '../../crypto/crypto.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { forbidden, invalid, blocked, notFound } from '../../http/errors.ts';
import { loadRoles, mayGive } from '../../access/given-roles.ts';
import { assignmentsIn, auditedRoles, difference, readAssignments, storeAssignments } from '../../people/roles.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { isActive, tokenTables } from '../../access/token-tables.ts';

type Limited = ServiceAccount['role_assignments'][number];
type Role = Omit<Limited, 'department_ids' | 'departments'> & {
  department_ids: number[] | null;
  departments: NonNullable<Limited['departments']>;
};
type Row = Omit<ServiceAccount, 'allowed_actions' | 'role_assignments'> & { role_assignments: Role[] };

const columns = sql`
  c.user_id as id, c.name, c.description, c.cidrs::text[] as cidrs, a.is_enabled, c.revision, c.created_at, c.updated_at,
  ${ownersIn('c.owner_ids')},
  array(select json_build_object('role_id', r.id, 'role', r.name, 'scope', r.scope, 'managed_depth', r.managed_depth,
                                 'entity_ids', h.entity_ids, 'department_ids', h.department_ids, 'departments', array(
                                   select json_build_object('id', d.id, 'name', d.name) from departments d
                                   where d.id = any(h.department_ids) order by d.name_sort, d.id))
        from role_assignments h join roles r on r.id = h.role_id where h.user_id = c.user_id order by r.name)
    as role_assignments,
  array(select distinct p.permission from role_assignments h join role_permissions p on p.role_id = h.role_id
        where h.user_id = c.user_id order by p.permission) as permissions,
  (select count(*) from ${tokenTables} where t.user_id = c.user_id and ${isActive}) as active_tokens,
  (select max(x.last_used_at) from api_tokens x where x.user_id = c.user_id) as last_used_at`;
const joined = sql`join users a on a.id = c.user_id`;

type Query = QueryOut<typeof serviceAccounts.list>;
const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
  name: sql`fold(c.name)`,
  last_used_at: sql`(select max(x.last_used_at) from api_tokens x where x.user_id = c.user_id)`,
  created_at: sql`c.created_at`,
};

const present = ({ role_assignments, ...row }: Row): ServiceAccount => ({
  ...row,
  role_assignments: role_assignments.map(({ department_ids, departments, ...role }) => ({
    ...role,
    ...(department_ids && { department_ids, departments }),
  })),
  allowed_actions: ['update', 'roles', ...(row.is_enabled ? ['tokens'] : []), 'delete'],
});

export async function listServiceAccounts({ db }: Pick<ReadCtx, 'db'>, query: Query) {
  const where = every(holdsWords([sql`c.name`, sql`c.description`], query.search));
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Row>`select ${columns} from service_accounts c ${joined} where ${where}
      ${orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`c.user_id`)}`,
    total: sql`select count(*) from service_accounts c ${joined} where ${where}`,
  });
  return { rows: rows.map(present), total };
}

/** A service account as responses show it. Throws 404. */
export async function readServiceAccount({ db }: Pick<ReadCtx, 'db'>, id: number): Promise<ServiceAccount> {
  const { rows } = await sql<Row>`select ${columns} from service_accounts c ${joined} where c.user_id = ${id}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return present(row);
}

/** Finds and locks a service account for a change. Throws 404. */
export async function lockServiceAccount(ctx: Pick<ReadCtx, 'db'>, id: number): Promise<ServiceAccount> {
  await sql`select from users where id = ${id} and account_kind = 'service' for update`.execute(ctx.db);
  return readServiceAccount(ctx, id);
}

/** A network in its stored notation; an address means only itself. */
function networkOf(written: string): string | undefined {
  const [address = '', bits] = written.split('/');
  const most = isIPv6(address) ? 128 : 32;
  if (isIP(address) === 0 || (bits !== undefined && Number(bits) > most)) return undefined;
  return `${address}/${bits ?? most}`;
}

function networksOf(written: readonly string[] | null | undefined): string[] | null {
  if (!written) return null;
  return written.map((one, index) => {
    const network = networkOf(one);
    if (network === undefined) throw invalid(`cidrs.${index}`, text('validation.format'));
    return network;
  });
}

/** Stored without host bits. */
const stored = (networks: string[] | null) =>
  sql<string[] | null>`(select array_agg(network(c::inet)) from unnest(${networks}::text[]) as c)`;

/** An undeliverable address that tells what the account is. */
function addressOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${words.slice(0, 40) || 'service'}.${randomToken(6)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '0')}@service.invalid`;
}

type Sent = BodyOut<typeof serviceAccounts.create>;

/** Adds a service account without any rights. Returns its id. */
export async function createServiceAccount(ctx: WriteCtx & { body: Sent }): Promise<number> {
  const { db, actor, body } = ctx;
  const { name, description = null, is_enabled = true } = body;
  const owner_ids = await checkedOwners(db, body.owner_ids);
  const cidrs = networksOf(body.cidrs);
  const { id } = await db
    .insertInto('users')
    .values({ email: addressOf(name), account_kind: 'service', is_enabled })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('service_accounts')
    .values({ user_id: id, name, description, owner_ids, cidrs: stored(cidrs), created_by: actor.user_id })
    .execute();
  await record(ctx, {
    action: 'service_account.created',
    subject_id: id,
    subject_label: name,
    changes: changesBetween({}, { name, description, owner_ids, cidrs, is_enabled }),
  });
  return id;
}

/** Changes a service account; disabling it revokes its tokens permanently. */
export async function updateServiceAccount(
  ctx: WriteCtx & { body: BodyOut<typeof serviceAccounts.update> },
  before: ServiceAccount,
): Promise<void> {
  const { db, body } = ctx;
  checkRevision(before, body, before.is_enabled ? 'enabled' : 'disabled');
  const owner_ids = body.owner_ids && (await checkedOwners(db, body.owner_ids));
  const cidrs = body.cidrs === undefined ? undefined : networksOf(body.cidrs);
  const { name = before.name, description = before.description, is_enabled = before.is_enabled } = body;
  await sql`
    update service_accounts set name = ${name}, description = ${description},
      owner_ids = coalesce(${owner_ids ?? null}::bigint[], owner_ids),
      cidrs = ${cidrs === undefined ? sql`cidrs` : stored(cidrs)}
    where user_id = ${before.id}`.execute(db);
  if (is_enabled !== before.is_enabled)
    await sql`update users set is_enabled = ${is_enabled} where id = ${before.id}`.execute(db);
  const owners = before.owners.flatMap(({ user_id }) => user_id ?? []);
  const changes = changesBetween({ ...before, owner_ids: owners }, { name, description, is_enabled, owner_ids, cidrs });
  if (Object.keys(changes).length > 0)
    await record(ctx, { action: 'service_account.updated', subject_id: before.id, subject_label: name, changes });
}

/** Deletes a service account with its tokens and webhooks. */
export async function deleteServiceAccount(ctx: WriteCtx, { id, name }: ServiceAccount): Promise<void> {
  const { rows: webhooks } = await sql<{ id: number; name: string }>`
    delete from webhooks where service_account_id = ${id} returning id, name`.execute(ctx.db);
  await sql`delete from users where id = ${id} and account_kind = 'service'`.execute(ctx.db).catch((error: unknown) => {
    // the records that it created refer to it
    if ((error as { code?: string }).code === '23503') throw blocked('service_account', text('tokens.account_in_use'));
    throw error;
  });
  const gone = webhooks.map((one) => ({
    action: 'webhook.deleted' as const,
    subject_id: one.id,
    subject_label: one.name,
  }));
  await record(ctx, { action: 'service_account.deleted', subject_id: id, subject_label: name }, ...gone);
}

/**
 * Replaces the roles of a service account: each added or removed role must lie within the actor's own rights, as for
 * people. Admin is never given, and without any role the account has no rights.
 */
export async function setServiceRoles(
  ctx: WriteCtx & { body: BodyOut<typeof serviceAccounts.setRoles> },
  account: ServiceAccount,
): Promise<void> {
  const { db, actor, body } = ctx;
  const { id } = account;
  checkRevision(account, body, account.is_enabled ? 'enabled' : 'disabled');
  const roles = await loadRoles(db);
  const target = await readAssignments(db, roles, body.assignments);
  const admin = target.findIndex(({ role }) => role.is_system && role.name === 'Admin');
  if (admin >= 0) throw invalid(`assignments.${admin}.role_id`, text('tokens.no_admin'));
  const held = await assignmentsIn(db, 'role_assignments', id, roles);
  const [given, taken] = [difference(target, held), difference(held, target)];
  if (given.length + taken.length === 0) return;
  // it belongs to no company, so a role with scope `own` covers nothing
  const nowhere = { id: 0, entity_id: 0 };
  if ([...given, ...taken].some((one) => !mayGive(actor, one, nowhere))) throw forbidden();
  await changingRights(db, [id], () => storeAssignments(db, id, taken, given));
  await sql`update service_accounts set updated_at = now() where user_id = ${id}`.execute(db);
  await record(ctx, {
    action: 'service_account.roles_changed',
    subject_id: id,
    subject_label: account.name,
    changes: { roles: { from: auditedRoles(held), to: auditedRoles(target) } },
  });
}
