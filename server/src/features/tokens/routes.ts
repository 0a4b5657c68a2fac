import { allTokens, ownTokens, text, tokenDays } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds } from '../../access/actor.ts';
import { requireReach } from '../../access/cover.ts';
import { lockOwnAccount } from '../../access/own-account.ts';
import { bind } from '../../http/context.ts';
import type { RecordCtx } from '../../http/context.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import { done, pageOf } from '../../http/replies.ts';
import { notifyTokenMade } from '../../notifications/own-account.ts';
import { listTokens, listTokensOf, readToken } from './queries.ts';
import { makeToken, renameToken, revokeToken } from './write.ts';

const ofActor = ({ actor }: Pick<RecordCtx, 'actor'>): RawBuilder<SqlBool> =>
  sql`t.user_id = ${actor.user_id} and t.kind = 'personal'`;
const everyToken = sql<SqlBool>`true`;

const findOwn = async (ctx: RecordCtx) => {
  const token = await readToken(ctx.db, ofActor(ctx), ctx.params.id);
  // an expired or revoked token stays in the list and does not change
  if (token.state !== 'active') throw notFound();
  return token;
};

/** The properties of a token that its owner sees. */
const shown = async (ctx: RecordCtx, id: number) => {
  const { account: _account, ...token } = await readToken(ctx.db, ofActor(ctx), id);
  return token;
};

export const tokenRoutes = [
  bind(ownTokens.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listTokensOf(ctx.db, ctx.actor.user_id, ctx.query)),
  }),
  bind(ownTokens.create, {
    handle: async (ctx) => {
      const { actor, deps, db } = ctx;
      // of two simultaneous requests, the second counts the token of the first
      await lockOwnAccount(db, actor);
      const span = { days: tokenDays.personal, most: deps.config.TOKEN_MAX_DAYS };
      const made = await makeToken(ctx, { user_id: actor.user_id, rights: actor }, ctx.body, {
        kind: 'personal',
        ...span,
      });
      await notifyTokenMade(db, actor.user_id, { ...ctx.request, id: made.id, name: ctx.body.name });
      const data = await shown({ ...ctx, params: { id: made.id } }, made.id);
      return { ...done(data, text('tokens.created')), token: made.token };
    },
  }),
  bind(ownTokens.update, {
    find: findOwn,
    handle: async (ctx, token) => {
      await renameToken(ctx, token, ctx.body.name);
      return done(await shown(ctx, token.id), text('tokens.renamed'));
    },
  }),
  bind(ownTokens.delete, {
    find: findOwn,
    handle: (ctx, token) => revokeToken(ctx, token, 'revoked by the person'),
  }),
  bind(allTokens.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listTokens(ctx, ctx.query)),
  }),
  bind(allTokens.delete, {
    find: (ctx) => readToken(ctx.db, everyToken, ctx.params.id),
    // stopping a program ends work of its account; provisioning is managed elsewhere
    allow: async ({ db, actor }, { kind, account }) => {
      if (kind === 'provisioning' && !holds(actor, 'identity.manage')) throw forbidden();
      await requireReach(db, actor, account.user_id, 'tokens.view_all');
    },
    handle: (ctx, token) => revokeToken(ctx, token, 'revoked by an administrator'),
  }),
];
