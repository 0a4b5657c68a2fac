import { permissionNames, text } from '@tenure/contract';
import type { BodyOut, Permission, Role, roles } from '@tenure/contract';
import { sql } from 'kysely';
import { changingRights } from '../../access/growth.ts';
import { isAdminRole } from '../../access/role-view.ts';
import { changesBetween, record } from '../../audit.ts';
import type { Changes } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { sentOf } from '../../db/values.ts';
import type { Ctx, ServiceCtx } from '../../http/context.ts';
import { invalidFields, blocked, notFound, say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { roleName } from '../../languages/role-name.ts';
import { tally } from '../../counts.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { lookalikeOf } from './lookalike.ts';
import { permissionErrors } from './policy.ts';
import { storedRules } from '../../sso/role-rules.ts';

/** A change of a role, after which cached rights are cleared. */
export type RoleChangeCtx = ServiceCtx & Pick<Ctx, 'afterCommit'>;
type Verb = 'created' | 'updated' | 'permissions_changed' | 'deleted';

export type RoleRecord = Pick<
  Role,
  'id' | 'name' | 'description' | 'scope' | 'managed_depth' | 'is_system' | 'revision'
> & {
  permissions: Permission[];
};

/** Finds and locks the role of a path for a change, so that it is not assigned meanwhile. */
export async function lockRole(db: Db, id: number): Promise<RoleRecord> {
  const { rows } = await sql<RoleRecord>`
    select r.id, r.name, r.description, r.scope, r.managed_depth, r.is_system, r.revision,
           array(select p.permission from role_permissions p where p.role_id = r.id) as permissions
    from roles r where r.id = ${id} for update`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** Sorts permissions like the catalogue, without duplicates. */
const inOrder = (permissions: Iterable<Permission>): Permission[] => {
  const wanted = new Set(permissions);
  return permissionNames.filter((name) => wanted.has(name));
};

async function recordAndNotify(
  ctx: RoleChangeCtx,
  verb: Verb,
  role: Pick<RoleRecord, 'id' | 'name'>,
  changes: Changes,
): Promise<void> {
  await record(ctx, { action: `role.${verb}`, subject_id: role.id, subject_label: role.name, changes });
  const { deps, request, actor } = ctx;
  const what = { role_id: role.id, verb, fields: Object.keys(changes), permissions: changes['permissions'] };
  ctx.afterCommit(() =>
    deps.log.info({ event: 'role_changed', request_id: request.id, user_id: actor.user_id, ...what }, 'a role changed'),
  );
}

function nameErrors(name: string): FieldErrors {
  const similar = lookalikeOf(name);
  return similar ? { name: [say('name', text('roles.like_built_in', { role: roleName(similar) }))] } : {};
}

function setErrors(permissions: readonly Permission[]): FieldErrors {
  const faults = permissionErrors(new Set(permissions));
  return faults.length > 0 ? { permissions: faults } : {};
}

function refuse(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

async function grant(db: Db, roleId: number, permissions: readonly Permission[]): Promise<void> {
  if (permissions.length === 0) return;
  const values = permissions.map((permission) => ({ role_id: roleId, permission }));
  await db.insertInto('role_permissions').values(values).execute();
}

type Reaching = Pick<Role, 'scope' | 'managed_depth'>;

/** Only a role for managed people can cover the whole reporting line. */
const depthErrors = ({ scope, managed_depth }: Reaching): FieldErrors =>
  scope !== 'managed' && managed_depth === 'tree'
    ? { managed_depth: [say('managed_depth', text('validation.prohibited'))] }
    : {};

/** Creates a role; returns its id. */
export async function createRole(ctx: RoleChangeCtx & { body: BodyOut<typeof roles.create> }): Promise<number> {
  const { permissions: sent, managed_depth = 'direct', ...rest } = ctx.body;
  const fields = { ...rest, managed_depth };
  refuse({ ...nameErrors(fields.name), ...depthErrors(fields), ...setErrors(sent) });
  const permissions = inOrder(sent);
  const { id } = await ctx.db.insertInto('roles').values(fields).returning('id').executeTakeFirstOrThrow();
  await grant(ctx.db, id, permissions);
  await recordAndNotify(
    ctx,
    'created',
    { id, name: fields.name },
    changesBetween({}, { ...sentOf(fields), permissions }),
  );
  return id;
}

/** Refusals of changes to a built-in role; Admin cannot change at all. */
function fixedErrors(role: RoleRecord, changes: Changes): FieldErrors {
  if (!role.is_system) return {};
  const fixed = isAdminRole(role)
    ? Object.keys(changes)
    : Object.keys(changes).filter((name) => name !== 'description' && name !== 'managed_depth');
  return Object.fromEntries(
    fixed.map((field) => [field, [say(field, text('roles.built_in_fixed', { role: roleName(role.name) }))]]),
  );
}

/** The sent fields; a role with another scope than managed people no longer covers the reporting line. */
function fieldsOf(role: RoleRecord, { revision: _seen, ...body }: BodyOut<typeof roles.update>) {
  const fields = sentOf(body);
  const leaves = fields.scope !== undefined && fields.scope !== 'managed' && role.managed_depth === 'tree';
  return leaves && fields.managed_depth === undefined ? { ...fields, managed_depth: 'direct' as const } : fields;
}

/** Changes name, description, scope and depth of a role. */
export async function updateRole(
  ctx: RoleChangeCtx & { body: BodyOut<typeof roles.update> },
  role: RoleRecord,
): Promise<void> {
  checkRevision(role, ctx.body, stateOf(role));
  const fields = fieldsOf(role, ctx.body);
  const changes = changesBetween(role, fields);
  refuse({
    ...('name' in changes && !role.is_system && nameErrors(fields.name ?? '')),
    ...depthErrors({ ...role, ...fields }),
    ...fixedErrors(role, changes),
  });
  if (Object.keys(changes).length === 0) return;
  if ('scope' in changes) await refuseLimited(ctx.db, role.id);
  const store = () => ctx.db.updateTable('roles').set(fields).where('id', '=', role.id).execute();
  // the name has no effect on rights
  if ('scope' in changes || 'managed_depth' in changes)
    await changingRights(ctx.db, await holderIds(ctx.db, role.id), store);
  else await store();
  await recordAndNotify(ctx, 'updated', { id: role.id, name: fields.name ?? role.name }, changes);
}

/** Only a role with company scope can be limited to departments, so it keeps its scope while it is. */
async function refuseLimited(db: Db, id: number): Promise<void> {
  const { rows } = await sql`
    select from role_assignments where role_id = ${id} and department_ids is not null
    union all select from (${storedRules}) as r where role_id = ${id} and department_ids is not null limit 1`.execute(
    db,
  );
  if (rows.length > 0) throw invalidFields({ scope: [say('scope', text('roles.limited_to_departments'))] });
}

/** The kind of the role for a refusal. */
const stateOf = ({ is_system }: RoleRecord) => (is_system ? 'built_in' : 'custom');

async function holderIds(db: Db, roleId: number): Promise<number[]> {
  const rows = await db.selectFrom('role_assignments').select('user_id').where('role_id', '=', roleId).execute();
  return rows.map((row) => row.user_id);
}

async function replaceSet(
  db: Db,
  roleId: number,
  before: readonly Permission[],
  after: readonly Permission[],
): Promise<void> {
  const gone = before.filter((name) => !after.includes(name));
  if (gone.length > 0)
    await db.deleteFrom('role_permissions').where('role_id', '=', roleId).where('permission', 'in', gone).execute();
  await grant(
    db,
    roleId,
    after.filter((name) => !before.includes(name)),
  );
}

/** Replaces the permissions of a role, effective at the next request of its holders. */
export async function setPermissions(
  ctx: RoleChangeCtx & { body: BodyOut<typeof roles.setPermissions> },
  role: RoleRecord,
): Promise<void> {
  checkRevision(role, ctx.body, stateOf(role));
  const [before, after] = [inOrder(role.permissions), inOrder(ctx.body.permissions)];
  const changes = changesBetween({ permissions: before }, { permissions: after });
  if (Object.keys(changes).length === 0) return;
  if (isAdminRole(role)) throw invalidFields(fixedErrors(role, changes));
  refuse(setErrors(after));
  await changingRights(ctx.db, await holderIds(ctx.db, role.id), () => replaceSet(ctx.db, role.id, before, after));
  // the permissions are stored in another table, but the revision of the record shows the change
  await sql`update roles set revision = revision + 1 where id = ${role.id}`.execute(ctx.db);
  await recordAndNotify(ctx, 'permissions_changed', role, changes);
}

type Holders = { people: number; deleted: number; accounts: number; groups: number };

async function holdersOf(db: Db, id: number): Promise<Holders> {
  const { rows } = await sql<Holders>`
    select count(e.id) filter (where e.deleted_at is null) as people,
           count(e.id) filter (where e.deleted_at is not null) as deleted,
           count(*) filter (where e.id is null) as accounts,
           (select count(*) from (${storedRules}) as s where s.role_id = ${id}) as groups
    from role_assignments a left join employees e on e.user_id = a.user_id
    where a.role_id = ${id}`.execute(db);
  return rows[0] as Holders;
}

/** Deletes a custom role that no account holds and no rule gives. */
export async function deleteRole(ctx: RoleChangeCtx, role: RoleRecord): Promise<void> {
  if (role.is_system) throw blocked('role', text('roles.built_in_cannot_be_deleted', { role: roleName(role.name) }));
  const { people, deleted, accounts, groups } = await holdersOf(ctx.db, role.id);
  const list = tally({ people, deleted_people: deleted, accounts, groups_of_provider: groups });
  if (list) throw blocked('role', text('roles.cannot_be_deleted', { name: role.name, list }));
  await ctx.db.deleteFrom('roles').where('id', '=', role.id).execute();
  const { name, description, scope, managed_depth, permissions } = role;
  const gone = { name, description, scope, managed_depth, permissions: inOrder(permissions) };
  const changes = Object.fromEntries(Object.entries(gone).map(([field, from]) => [field, { from, to: null }]));
  await recordAndNotify(ctx, 'deleted', role, changes);
}
