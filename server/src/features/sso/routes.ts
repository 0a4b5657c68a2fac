import { identityProviders, ownIdentities, sso, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { read } from '../../http/replies.ts';
import { readAnswer } from './answer.ts';
import { enter } from './enter.ts';
import { optionsFor, waysIn } from './options.ts';
import { findOwn, linkOwn, listOwn, unlinkOwn } from './own.ts';
import { startFlow } from '../../sso/start.ts';
import { proveAtProvider } from './step-up.ts';
import { passkeyHost } from '../../sign-in/passkey-host.ts';
import { readTest, storeTest } from './tests.ts';

const withoutTransaction = 'a state is spent whatever comes of it, and a provider may take seconds to answer';

export const ssoRoutes = [
  bind(sso.ways, {
    handle: async ({ db, deps }) => read({ ...(await waysIn(db)), passkey: passkeyHost(deps.config) !== null }),
  }),
  bind(sso.options, {
    withoutTransaction: 'nothing is changed',
    handle: async ({ db, body }) => read(await optionsFor(db, body.email)),
  }),
  bind(sso.start, {
    withoutTransaction: 'nothing is changed',
    handle: async (ctx) =>
      read(await startFlow(ctx, ctx.params.id, { kind: 'sign_in', user_id: null, next: ctx.body.next ?? null })),
  }),
  bind(sso.complete, {
    withoutTransaction,
    handle: async (ctx) => {
      const answered = await readAnswer(ctx);
      const { sessionCookies } = ctx.deps;
      if (answered.flow.kind === 'link') {
        await linkOwn(ctx, answered);
        ctx.setCookies([...sessionCookies.sameCookies(ctx.credentials), sessionCookies.endFlow('sso')]);
        return { message: text('sso.linked', { provider: answered.provider.name }), next: '/profile' };
      }
      if (answered.flow.kind === 'step_up') {
        await proveAtProvider(ctx, answered);
        ctx.setCookies([...sessionCookies.sameCookies(ctx.credentials), sessionCookies.endFlow('sso')]);
        return { message: text('account.identity_confirmed'), next: answered.flow.next };
      }
      if (answered.flow.kind === 'test') {
        await storeTest(ctx, answered);
        ctx.setCookies([...sessionCookies.sameCookies(ctx.credentials), sessionCookies.endFlow('sso')]);
        return { message: text('sso.test_done', { provider: answered.provider.name }), next: null };
      }
      const entered = await enter(ctx, answered);
      const { next } = answered.flow;
      if ('pending' in entered) {
        const goesOn = sessionCookies.beginFlow('second_factor', entered.pending);
        ctx.setCookies([...sessionCookies.sameCookies(ctx.credentials), goesOn]);
        return { message: text('account.second_step_needed'), two_factor: true, next } as const;
      }
      const { content, max_age, device } = entered;
      ctx.setCookies([
        ...sessionCookies.freshCookies(content, max_age),
        sessionCookies.deviceCookie(device),
        ...sessionCookies.endFlows(ctx.credentials),
      ]);
      return { message: text('account.signed_in'), next };
    },
  }),
  bind(identityProviders.test, {
    withoutTransaction: 'nothing is changed',
    handle: async (ctx) =>
      read(await startFlow(ctx, ctx.params.id, { kind: 'test', user_id: ctx.actor.user_id, next: null })),
  }),
  bind(identityProviders.testResult, { handle: async (ctx) => read(await readTest(ctx, ctx.params.id)) }),
  bind(ownIdentities.list, { handle: async (ctx) => read(await listOwn(ctx)) }),
  bind(ownIdentities.start, {
    withoutTransaction: 'nothing is changed',
    handle: async (ctx) =>
      read(await startFlow(ctx, ctx.params.id, { kind: 'link', user_id: ctx.actor.user_id, next: null })),
  }),
  bind(ownIdentities.delete, { find: findOwn, handle: unlinkOwn }),
];
