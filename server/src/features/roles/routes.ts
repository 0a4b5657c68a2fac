import { roles, singleReads, text } from '@tenure/contract';
import { sql } from 'kysely';
import { bind } from '../../http/context.ts';
import type { Ctx } from '../../http/context.ts';
import { taken } from '../../http/look-ups.ts';
import type { Sent } from '../../http/look-ups.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { roleName } from '../../languages/role-name.ts';
import { findPermission, listPermissions } from './catalogue.ts';
import { impactOf } from './impact.ts';
import { requireAdmin } from './policy.ts';
import { allRoles, listRoles, readRole } from './queries.ts';
import { startRoleView, stopRoleView } from './view.ts';
import { createRole, deleteRole, lockRole, setPermissions, updateRole } from './write.ts';

const name = ({ id, sent }: Sent) =>
  taken(
    'name',
    sent['name'],
    sql`select from roles where fold(name) = fold(${sent['name']}) and id is distinct from ${id}::bigint`,
  );

/** Finds and locks a role for a change. */
const changing = {
  find: (ctx: Pick<Ctx, 'db'> & { params: { id: number } }) => lockRole(ctx.db, ctx.params.id),
  allow: requireAdmin,
};

export const roleRoutes = [
  bind(roles.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listRoles(ctx, ctx.query)),
  }),
  bind(roles.matrix, { handle: async (ctx) => read({ roles: await allRoles(ctx.db, ctx.actor) }) }),
  bind(roles.get, {
    find: (ctx) => readRole(ctx.db, ctx.actor, ctx.params.id),
    handle: async (_ctx, found) => read(found),
  }),
  bind(roles.create, {
    lookUps: name,
    allow: requireAdmin,
    handle: async (ctx) => {
      const id = await createRole(ctx);
      return done(await readRole(ctx.db, ctx.actor, id), text('roles.created'));
    },
  }),
  bind(roles.update, {
    ...changing,
    lookUps: name,
    handle: async (ctx, role) => {
      await updateRole(ctx, role);
      return done(await readRole(ctx.db, ctx.actor, role.id), text('roles.updated'));
    },
  }),
  bind(roles.setPermissions, {
    ...changing,
    handle: async (ctx, role) => {
      await setPermissions(ctx, role);
      return done(await readRole(ctx.db, ctx.actor, role.id), text('roles.permissions_updated'));
    },
  }),
  bind(roles.impact, {
    find: (ctx) => readRole(ctx.db, ctx.actor, ctx.params.id),
    handle: async (ctx, role) => read(await impactOf(ctx.db, role.id, ctx.query)),
  }),
  bind(roles.startView, {
    ...changing,
    handle: async (ctx, role) =>
      done(await startRoleView(ctx, role), text('roles.view_started', { role: roleName(role.name) })),
  }),
  bind(roles.endView, { handle: stopRoleView }),
  bind(roles.delete, { ...changing, handle: deleteRole }),
  bind(roles.permissions, {
    handle: async (ctx) => pageOf(ctx, ctx.query, listPermissions(ctx.query)),
  }),
  bind(singleReads.permission, {
    find: async (ctx) => findPermission(ctx.params.id),
    handle: async (_ctx, found) => read(found),
  }),
];
