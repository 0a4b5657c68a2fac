import { profile, stepUp as stepUpProof, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { removePicture, replacePicture } from '../../people/pictures.ts';
import { changePassword, keptTokens } from './password-change.ts';
import { readProfile } from './queries.ts';
import { endOtherSessions, endOwnSession, listSessions } from './sessions.ts';
import { secondFactorRoutes } from './second-factors.ts';
import { stepUp, stepUpOptions } from './step-up.ts';
import { passkeyRoutes } from './passkeys.ts';
import { lockOwnRecord, updateProfile } from './update.ts';

export const profileRoutes = [
  bind(profile.get, { handle: async (ctx) => read(await readProfile(ctx)) }),
  bind(profile.update, {
    handle: async (ctx) => {
      await updateProfile(ctx, ctx.body);
      return done(await readProfile(ctx), text('account.profile_updated'));
    },
  }),
  bind(profile.changePassword, {
    withoutTransaction: 'the counters of failed tries must survive the 422',
    handle: async (ctx) => {
      const session = await changePassword(ctx, ctx.body);
      ctx.setCookies(ctx.deps.sessionCookies.freshCookies(session.content, session.max_age));
      const kept_tokens = await keptTokens(ctx);
      return { ...done(await readProfile(ctx), text('account.password_changed')), kept_tokens };
    },
  }),
  bind(stepUpProof.options, {
    withoutTransaction: 'nothing is changed',
    handle: async (ctx) => read(await stepUpOptions(ctx, ctx.body.next ?? null)),
  }),
  bind(stepUpProof.prove, {
    withoutTransaction: 'the counters of failed tries must survive the 422',
    handle: async (ctx) => {
      await stepUp(ctx, ctx.body);
      return { message: text('account.identity_confirmed') };
    },
  }),
  ...secondFactorRoutes,
  ...passkeyRoutes,
  bind(profile.setPicture, {
    find: (ctx) => lockOwnRecord(ctx),
    handle: async (ctx, person) => {
      await replacePicture(ctx, person, ctx.file);
      return done(await readProfile(ctx), text('employees.picture_saved'));
    },
  }),
  bind(profile.removePicture, {
    find: (ctx) => lockOwnRecord(ctx),
    handle: (ctx, person) => removePicture(ctx, person),
  }),
  bind(profile.sessions, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listSessions(ctx.db, ctx.actor, ctx.deps.config, ctx.query)),
  }),
  bind(profile.endSession, {
    handle: async (ctx) => {
      await endOwnSession(ctx, ctx.deps.config, ctx.params.id);
      if (ctx.params.id === ctx.actor.session_id) ctx.setCookies(ctx.deps.sessionCookies.endCookies());
    },
  }),
  bind(profile.endOtherSessions, {
    handle: (ctx) => endOtherSessions(ctx, ctx.deps.config),
  }),
];
