import { breakGlass, secondFactorDemands, signInPolicies, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import type { Target } from './accounts.ts';
import { listBreakGlass, setBreakGlass } from './break-glass.ts';
import { decide, listDemands, lockDemand, readDemand, setDemand } from './demands.ts';
import { preflight } from './preflight.ts';
import { listUnlinked } from './unlinked.ts';
import { findTarget, listPolicies, lockPolicy, resetPolicy, setPolicy, wantedOf } from './write.ts';

type PolicyCtx = ReadCtx & { params: { entity: string | number } };

function targetOf({ params: { entity } }: Pick<PolicyCtx, 'params'>): Target {
  if (entity === 'default') return null;
  if (typeof entity !== 'number') throw notFound();
  return entity;
}
const find = (ctx: PolicyCtx) => lockPolicy(ctx.db, targetOf(ctx));

export const signInPolicyRoutes = [
  bind(signInPolicies.list, { handle: async ({ db }) => read({ policies: await listPolicies(db) }) }),
  bind(signInPolicies.update, {
    find,
    handle: async (ctx, before) => {
      const target = targetOf(ctx);
      await setPolicy(ctx, target, before);
      const policy = (await listPolicies(ctx.db)).find(({ entity }) => (entity?.id ?? null) === target);
      if (!policy) throw notFound();
      return done(policy, text('policies.saved'));
    },
  }),
  bind(signInPolicies.reset, {
    find,
    handle: async (ctx, before) => {
      const target = targetOf(ctx);
      if (target !== null) await resetPolicy(ctx, target, before);
    },
  }),
  bind(signInPolicies.preflight, {
    find,
    handle: async (ctx, before) => {
      const reader = { user_id: ctx.actor.user_id, longest: ctx.deps.config.SESSION_MAX_HOURS };
      const rule = { before, wanted: wantedOf(before, ctx.body) };
      return read(await preflight(ctx.db, reader, targetOf(ctx), rule));
    },
  }),
  bind(signInPolicies.unlinked, {
    find: (ctx) => findTarget(ctx.db, targetOf(ctx)),
    handle: async (ctx, { target }) => pageOf(ctx, ctx.query, await listUnlinked(ctx.db, target, ctx.query)),
  }),
  bind(breakGlass.list, { handle: async ({ db }) => read(await listBreakGlass(db)) }),
  bind(breakGlass.update, {
    handle: async (ctx) => {
      await setBreakGlass(ctx, ctx.body);
      return done(await listBreakGlass(ctx.db), text('policies.break_glass_saved'));
    },
  }),
  bind(secondFactorDemands.list, { handle: async ({ db }) => read(await listDemands(db)) }),
  bind(secondFactorDemands.updateRole, {
    find: (ctx) => lockDemand(ctx.db, ctx.params.id),
    handle: async (ctx, role) => {
      await setDemand(ctx, role);
      return done(await readDemand(ctx.db, role.id), text('policies.demand_saved'));
    },
  }),
  bind(secondFactorDemands.decide, {
    handle: async (ctx) => {
      await decide(ctx);
      return done({ is_decided: true as const }, text('policies.decided'));
    },
  }),
];
