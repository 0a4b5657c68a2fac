import { employees, text } from '@tenure/contract';
import type { Permission, Text } from '@tenure/contract';
import { accountKey, requireCover, requireReach } from '../../../access/cover.ts';
import { bind } from '../../../http/context.ts';
import { done } from '../../../http/replies.ts';
import { confirm, deactivate, reactivate, remove, restore, separate, withdrawSeparation } from './lifecycle.ts';
import { rehire } from './rehire.ts';
import { personLookUps } from '../record/look-ups.ts';
import type { Dependents } from '../../../people/dependents.ts';
import { requireOther } from '../../../people/policy.ts';
import { recordPrivateLook } from '../record/private-looks.ts';
import { employeeReply, findEmployee } from '../../../people/queries.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { namesPrivate } from '../../../people/shown-fields.ts';
import type { RecordCtx, WriteCtx } from '../../../http/context.ts';

/** Finds another person within the scope of the permission, locked until the end of the request. */
export const another = (
  permission: Permission,
  { deleted = false, lock = true }: { deleted?: boolean; lock?: true | 'with team' } = {},
) => ({
  find: ({ db, actor, params }: RecordCtx) => findEmployee({ db, actor }, params.id, permission, { lock, deleted }),
  allow: ({ actor }: RecordCtx, person: EmployeeRecord) => requireOther(actor, person),
});

/** An account that starts again keeps only the rights on its own record. */
type LettingIn = { deleted?: boolean; needs?: 'rights' | 'way_in' | 'self' };

/** Finds another person whose account has no right that the actor lacks: for actions that give access. */
export const lettingIn = (permission: Permission, { needs = 'rights', ...options }: LettingIn = {}) => ({
  ...another(permission, options),
  allow: async ({ db, actor }: RecordCtx, person: EmployeeRecord) => {
    requireOther(actor, person);
    // for people who left, the handler refuses the sign-in: a 403 would reveal something about the caller's own review
    const part = needs === 'way_in' && person.activity_status === 'inactive' ? 'rights' : needs;
    await requireCover(db, actor, [accountKey(person)], { needs: part });
  },
});

/** Finds another person whose account has no wider scope than the actor: for actions that end access. */
const shuttingOut = (permission: Permission, options: { lock?: 'with team' } = {}) => ({
  ...another(permission, options),
  allow: async ({ db, actor }: RecordCtx, person: EmployeeRecord) => {
    requireOther(actor, person);
    await requireReach(db, actor, accountKey(person), permission);
  },
});

export const afterwards = async (ctx: WriteCtx, { id }: EmployeeRecord, message: Text) =>
  done(await employeeReply(ctx, id), message);

/** Over 40 lines: one table of routes. */
export const lifecycleRoutes = (dependents: Dependents) => [
  bind(employees.confirm, {
    ...another('employees.update'),
    handle: async (ctx, person) => {
      await confirm({ ...ctx, dependents }, person, ctx.body);
      return afterwards(ctx, person, text('employees.confirmed'));
    },
  }),
  bind(employees.deactivate, {
    ...shuttingOut('employees.deactivate', { lock: 'with team' }),
    handle: async (ctx, person) => {
      await deactivate({ ...ctx, dependents }, person, ctx.body);
      return afterwards(ctx, person, text('employees.deactivated'));
    },
  }),
  bind(employees.reactivate, {
    ...lettingIn('employees.deactivate'),
    handle: async (ctx, person) => {
      await reactivate(ctx, person, ctx.body);
      return afterwards(ctx, person, text('employees.reactivated'));
    },
  }),
  bind(employees.separate, {
    ...shuttingOut('employees.deactivate', { lock: 'with team' }),
    handle: async (ctx, person) => {
      await separate({ ...ctx, dependents }, person, ctx.body);
      return afterwards(ctx, person, text('employees.separation_recorded'));
    },
  }),
  bind(employees.withdrawSeparation, {
    ...lettingIn('employees.deactivate'),
    handle: async (ctx, person) => {
      await withdrawSeparation(ctx, person, ctx.body);
      return afterwards(ctx, person, text('employees.separation_withdrawn'));
    },
  }),
  bind(employees.rehire, {
    lookUps: personLookUps('employees.create'),
    ...lettingIn('employees.create', { needs: 'self' }),
    handle: async (ctx, person) => {
      await rehire({ ...ctx, dependents }, person);
      const shown = { private: namesPrivate(ctx.body) };
      if (shown.private) await recordPrivateLook(ctx, person, 'private');
      return done(await employeeReply(ctx, person.id, shown), text('employees.rehired'));
    },
  }),
  bind(employees.delete, {
    ...shuttingOut('employees.deactivate'),
    handle: (ctx, person) => remove(ctx, person),
  }),
  bind(employees.restore, {
    ...lettingIn('employees.deactivate', { deleted: true, needs: 'self' }),
    handle: async (ctx, person) => {
      await restore(ctx, person, ctx.body);
      return afterwards(ctx, person, text('employees.restored'));
    },
  }),
];
