import { passkeySignIn, session, text } from '@tenure/contract';
import type { CurrentUser } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { viewOf } from '../../access/role-view.ts';
import { hasFactor } from '../../access/second-factors.ts';
import { endSession } from '../../access/sessions.ts';
import { bind } from '../../http/context.ts';
import type { Ctx } from '../../http/context.ts';
import { unauthenticated } from '../../http/errors.ts';
import { read } from '../../http/replies.ts';
import type { PendingStep } from '../../http/flow-cookies.ts';
import { proofSeconds } from '../../http/permission.ts';
import type { SignedIn } from '../../sign-in/begin-session.ts';
import { endSessionUrl } from '../../sso/end-session.ts';
import { signIn } from './login.ts';
import { signInWithPasskey, startPasskeySignIn } from './passkey.ts';
import { startSecondStep, takeSecondStep } from './second-step.ts';

function secondFactorOf({ second_factor, enrol_only }: Actor): CurrentUser['data']['second_factor'] {
  const { from = null } = second_factor ?? {};
  if (enrol_only) return { state: 'required', from };
  return { state: hasFactor(second_factor) || from === null ? 'ok' : 'due', from };
}

/** The expiry of the last proof of identity; it may be in the past. */
function stepUpUntil({ actor, deps }: Pick<Ctx, 'actor' | 'deps'>): string | null {
  const minutes = deps.config.STEP_UP_MINUTES;
  if (minutes === 0) return null;
  return new Date(Date.now() + Math.max(proofSeconds(actor, minutes), 0) * 1_000).toISOString();
}

const currentUser = ({ actor, deps }: Pick<Ctx, 'actor' | 'deps'>): CurrentUser => ({
  data: {
    user: {
      id: actor.user_id,
      email: actor.email,
      name: actor.name,
      employee_id: actor.employee_id,
      locale: actor.locale,
      locale_chosen: actor.locale_chosen,
      must_change_password: actor.must_change_password,
      last_login_at: actor.last_login_at,
      profile_picture_url: actor.picture_key ? `/api/employees/${actor.employee_id}/profile-picture` : null,
      role_assignments: actor.grants.map(({ permissions: _permissions, in_departments, ...grant }) => ({
        ...grant,
        ...(in_departments && { department_ids: in_departments.named.map(({ id }) => id) }),
      })),
    },
    roles: [...actor.roles].sort(),
    permissions: [...actor.permissions],
    directory: deps.config.DIRECTORY,
    step_up_until: stepUpUntil({ actor, deps }),
    second_factor: secondFactorOf(actor),
    viewing: viewOf(actor),
  },
});

// the session query has already read all values of the response
const me = { handle: async (ctx: Ctx) => currentUser(ctx) };

/** Sends the browser its new session; a sign-in in several requests is complete. */
function setSession({ deps: { sessionCookies }, credentials, setCookies }: Ctx, created: SignedIn) {
  setCookies([
    ...sessionCookies.freshCookies(created.content, created.max_age),
    sessionCookies.deviceCookie(created.device),
    ...sessionCookies.endFlows(credentials),
  ]);
}

/** Sends the browser what the next step needs; its current session stays. */
function setPending({ deps: { sessionCookies }, credentials, setCookies }: Ctx, pending: PendingStep) {
  setCookies([...sessionCookies.sameCookies(credentials), sessionCookies.beginFlow('second_factor', pending)]);
}

const withoutTransaction = 'the counters of failed tries must survive the 422';

export const sessionRoutes = [
  bind(session.login, {
    withoutTransaction,
    handle: async (ctx) => {
      const created = await signIn(ctx.deps, ctx.body, ctx.request, ctx.credentials);
      if ('pending' in created) {
        setPending(ctx, created.pending);
        return { message: text('account.second_step_needed'), two_factor: true } as const;
      }
      setSession(ctx, created);
      return { message: text('account.signed_in') };
    },
  }),
  bind(passkeySignIn.options, {
    withoutTransaction: 'nothing is changed',
    handle: (ctx) => Promise.resolve(read({ options: startPasskeySignIn(ctx) })),
  }),
  bind(passkeySignIn.signIn, {
    withoutTransaction,
    handle: async (ctx) => {
      setSession(ctx, await signInWithPasskey(ctx.deps, ctx.body, ctx));
      return { message: text('account.signed_in') };
    },
  }),
  bind(session.secondStepOptions, {
    withoutTransaction: 'nothing is changed',
    handle: async (ctx) => read(await startSecondStep(ctx)),
  }),
  bind(session.secondStep, {
    withoutTransaction,
    handle: async (ctx) => {
      setSession(ctx, await takeSecondStep(ctx.deps, ctx.body, ctx));
      return { message: text('account.signed_in') };
    },
  }),
  bind(session.logout, {
    handle: async (ctx) => {
      const { content } = ctx.credentials;
      if (!content || !(await endSession(ctx.db, content.sid, 'logout'))) throw unauthenticated();
      const end_session_url = await endSessionUrl(ctx);
      const { endCookies, endFlows } = ctx.deps.sessionCookies;
      ctx.setCookies([...endCookies(), ...endFlows(ctx.credentials)]);
      ctx.afterCommit(() =>
        ctx.deps.log.info({ event: 'logout', request_id: ctx.request.id, user_id: ctx.actor.user_id }, 'signed out'),
      );
      return { message: text('account.signed_out'), ...(end_session_url !== undefined && { end_session_url }) };
    },
  }),
  bind(session.me, me),
  bind(session.user, me),
];
