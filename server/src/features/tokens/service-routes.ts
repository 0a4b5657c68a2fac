import { serviceAccounts, text, tokenDays } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { requireCover } from '../../access/cover.ts';
import { loadRights } from '../../access/rights.ts';
import { bind } from '../../http/context.ts';
import type { ReadCtx, RecordCtx } from '../../http/context.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { notifyServiceToken } from '../../notifications/own-account.ts';
import { listTokensOf, readToken } from './queries.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  listServiceAccounts,
  lockServiceAccount,
  readServiceAccount,
  setServiceRoles,
  updateServiceAccount,
} from './service-accounts.ts';
import { makeToken, revokeToken } from './write.ts';

const find = (ctx: RecordCtx) => lockServiceAccount(ctx, ctx.params.id);

const ofAccount = (id: number) => sql<SqlBool>`t.user_id = ${id} and t.kind = 'service'`;

type TokenCtx = ReadCtx & { params: { id: number; tokenId: number } };
const findToken = async (ctx: TokenCtx) => {
  await readServiceAccount(ctx, ctx.params.id);
  const token = await readToken(ctx.db, ofAccount(ctx.params.id), ctx.params.tokenId);
  if (token.state !== 'active') throw notFound();
  return token;
};

export const serviceAccountRoutes = [
  bind(serviceAccounts.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listServiceAccounts(ctx, ctx.query)),
  }),
  bind(serviceAccounts.get, { handle: async (ctx) => read(await readServiceAccount(ctx, ctx.params.id)) }),
  bind(serviceAccounts.create, {
    handle: async (ctx) =>
      done(await readServiceAccount(ctx, await createServiceAccount(ctx)), text('tokens.account_created')),
  }),
  bind(serviceAccounts.update, {
    find,
    handle: async (ctx, account) => {
      await updateServiceAccount(ctx, account);
      return done(await readServiceAccount(ctx, account.id), text('tokens.account_updated'));
    },
  }),
  bind(serviceAccounts.delete, { find, handle: deleteServiceAccount }),
  bind(serviceAccounts.setRoles, {
    find,
    handle: async (ctx, account) => {
      await setServiceRoles(ctx, account);
      return done(await readServiceAccount(ctx, account.id), text('tokens.roles_updated'));
    },
  }),
  bind(serviceAccounts.tokens, {
    find: (ctx) => readServiceAccount(ctx, ctx.params.id),
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listTokensOf(ctx.db, id, ctx.query)),
  }),
  bind(serviceAccounts.createToken, {
    find,
    // a token is equivalent to a password of the account
    allow: ({ db, actor }, { id }) => requireCover(db, actor, [id]),
    handle: async (ctx, account) => {
      const { id, is_enabled, revision } = account;
      if (!is_enabled) throw conflict(text('tokens.account_is_off'), { status: 'disabled', revision });
      const holder = { user_id: id, rights: await loadRights(ctx.db, id) };
      const span = { days: tokenDays.service, most: tokenDays.maxForService };
      const made = await makeToken(ctx, holder, ctx.body, { kind: 'service', ...span });
      const owners = account.owners.flatMap(({ user_id }) => user_id ?? []);
      await notifyServiceToken(ctx, owners, { id: made.id, name: ctx.body.name, account: account.name });
      const { account: _account, ...data } = await readToken(ctx.db, ofAccount(id), made.id);
      return { ...done(data, text('tokens.created')), token: made.token };
    },
  }),
  bind(serviceAccounts.deleteToken, {
    find: findToken,
    handle: (ctx, token) => revokeToken(ctx, token, 'revoked by an administrator'),
  }),
];
