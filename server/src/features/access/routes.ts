import { access } from '@tenure/contract';
import { accountKey, coverOf, noCover } from '../../access/cover.ts';
import { bind } from '../../http/context.ts';
import { pageOf, read } from '../../http/replies.ts';
import { findEmployee } from '../../people/queries.ts';
import { explain } from './explain.ts';
import { findPermission, listHolders } from './holders.ts';
import { limitNames, loadActor, readHeldRoles } from './queries.ts';

export const accessRoutes = [
  bind(access.explain, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.assign_roles'),
    handle: async (ctx, found) => {
      const { actor, maySignIn } = await loadActor(ctx, ctx.query.user_id);
      const department = { id: found.department_id, name: found.department_name };
      const covers = await coverOf(ctx.db, actor, [accountKey(found)]);
      const person = { ...found, department, cover: covers.get(accountKey(found)) ?? noCover };
      const names = await limitNames(ctx, actor);
      return read({
        employee: { id: found.id, employee_number: found.employee_number, name: found.name },
        user: { id: actor.user_id, name: actor.name, employee_id: actor.employee_id, may_sign_in: maySignIn },
        answers: explain({ actor, maySignIn, person, names }),
      });
    },
  }),
  bind(access.roles, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.assign_roles'),
    handle: async (ctx, person) => read(await readHeldRoles(ctx, person)),
  }),
  bind(access.holders, {
    find: async (ctx) => findPermission(ctx.params.id),
    handle: async (ctx, { name }) => pageOf(ctx, ctx.query, await listHolders(ctx.db, ctx.actor, name, ctx.query)),
  }),
];
