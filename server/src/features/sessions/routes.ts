import { session, text } from '@tenure/contract';
import type { CurrentUser } from '@tenure/contract';
import { viewOf } from '../../access/role-view.ts';
import { endSession } from '../../access/sessions.ts';
import { bind } from '../../http/context.ts';
import type { Ctx } from '../../http/context.ts';
import { unauthenticated } from '../../http/errors.ts';
import { signIn } from './login.ts';

const currentUser = ({ actor, deps }: Pick<Ctx, 'actor' | 'deps'>): CurrentUser => ({
  data: {
    user: {
      id: actor.user_id,
      email: actor.email,
      name: actor.name,
      employee_id: actor.employee_id,
      locale: actor.locale,
      must_change_password: actor.must_change_password,
      last_login_at: actor.last_login_at,
      profile_picture_url: actor.picture_key ? `/api/employees/${actor.employee_id}/profile-picture` : null,
      role_assignments: actor.grants.map(({ permissions: _permissions, in_departments, ...grant }) => ({
        ...grant,
        ...(in_departments && { department_ids: in_departments.named.map(({ id }) => id) }),
      })),
    },
    roles: [...actor.roles].sort(),
    permissions: [...actor.permissions].sort(),
    directory: deps.config.DIRECTORY,
    viewing: viewOf(actor),
  },
});

// the session query read all values of the answer
const me = { handle: async (ctx: Ctx) => currentUser(ctx) };

export const sessionRoutes = [
  bind(session.login, {
    withoutTransaction: 'the counters of failed tries must survive the 422',
    handle: async (ctx) => {
      const created = await signIn(ctx.deps, ctx.body, ctx.request, ctx.credentials);
      const { sessionCookies } = ctx.deps;
      ctx.setCookies([
        ...sessionCookies.freshCookies(created.content, created.max_age),
        sessionCookies.deviceCookie(created.device),
      ]);
      return { message: text('account.signed_in') };
    },
  }),
  bind(session.logout, {
    handle: async (ctx) => {
      const { content } = ctx.credentials;
      if (!content || !(await endSession(ctx.db, content.sid, 'logout'))) throw unauthenticated();
      ctx.setCookies(ctx.deps.sessionCookies.endCookies());
      ctx.afterCommit(() =>
        ctx.deps.log.info({ event: 'logout', request_id: ctx.request.id, user_id: ctx.actor.user_id }, 'signed out'),
      );
      return { message: text('account.signed_out') };
    },
  }),
  bind(session.me, me),
  bind(session.user, me),
];
