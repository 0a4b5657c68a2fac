import { breakGlass, signInPolicies, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { done, read } from '../../http/replies.ts';
import type { Target } from './accounts.ts';
import { listBreakGlass, setBreakGlass } from './break-glass.ts';
import { preflight } from './preflight.ts';
import { listPolicies, lockPolicy, resetPolicy, setPolicy } from './write.ts';

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
    handle: async (ctx) => read(await preflight(ctx.db, targetOf(ctx), ctx.body)),
  }),
  bind(breakGlass.list, { handle: async ({ db }) => read({ accounts: await listBreakGlass(db) }) }),
  bind(breakGlass.update, {
    handle: async (ctx) => {
      await setBreakGlass(ctx, [...new Set(ctx.body.user_ids)]);
      return done({ accounts: await listBreakGlass(ctx.db) }, text('policies.break_glass_saved'));
    },
  }),
];
