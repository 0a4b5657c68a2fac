import { scimConnections, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx, RecordCtx } from '../../http/context.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { personLookUps } from '../employees/record/look-ups.ts';
import {
  findForLinks,
  listAllWaiting,
  listConnections,
  listRequests,
  listWaiting,
  lockConnection,
  lockWaiting,
  readConnection,
  readWaiting,
} from './queries.ts';
import { createWaiting, dismissWaiting, linkWaiting } from './waiting.ts';
import {
  createConnection,
  deleteConnection,
  replaceToken,
  revokeToken,
  switchConnection,
  updateConnection,
} from './write.ts';

const find = (ctx: RecordCtx) => lockConnection(ctx, ctx.params.id);

type WaitingCtx = ReadCtx & { params: { id: number; waitingId: string } };

const findWaiting = async (ctx: WaitingCtx) => {
  const connection = await findForLinks(ctx, ctx.params.id);
  return { connection, user: await lockWaiting(ctx, connection.id, ctx.params.waitingId) };
};

export const scimConnectionRoutes = [
  bind(scimConnections.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listConnections(ctx, ctx.query)) }),
  bind(scimConnections.get, { handle: async (ctx) => read(await readConnection(ctx, ctx.params.id)) }),
  bind(scimConnections.create, {
    handle: async (ctx) => done(await readConnection(ctx, await createConnection(ctx)), text('scim.created')),
  }),
  bind(scimConnections.update, {
    find,
    handle: async (ctx, connection) => {
      await updateConnection(ctx, connection);
      return done(await readConnection(ctx, connection.id), text('scim.updated'));
    },
  }),
  bind(scimConnections.delete, { find, handle: deleteConnection }),
  bind(scimConnections.enable, {
    find,
    handle: async (ctx, connection) => {
      await switchConnection(ctx, connection, true);
      return done(await readConnection(ctx, connection.id), text('scim.enabled'));
    },
  }),
  bind(scimConnections.disable, {
    find,
    handle: async (ctx, connection) => {
      await switchConnection(ctx, connection, false);
      return done(await readConnection(ctx, connection.id), text('scim.disabled'));
    },
  }),
  bind(scimConnections.createToken, {
    find,
    handle: async (ctx, connection) => done(await replaceToken(ctx, connection), text('scim.token_created')),
  }),
  bind(scimConnections.revokeToken, { find, handle: revokeToken }),
  bind(scimConnections.requests, {
    find: (ctx) => readConnection(ctx, ctx.params.id),
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listRequests(ctx, id, ctx.query)),
  }),
  bind(scimConnections.waiting, {
    find: (ctx) => findForLinks(ctx, ctx.params.id),
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listWaiting(ctx, id, ctx.query)),
  }),
  bind(scimConnections.allWaiting, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listAllWaiting(ctx, ctx.query)),
  }),
  bind(scimConnections.oneWaiting, {
    find: (ctx) => findForLinks(ctx, ctx.params.id),
    handle: async (ctx, connection) => read(await readWaiting(ctx, connection, ctx.params.waitingId)),
  }),
  bind(scimConnections.linkWaiting, {
    find: findWaiting,
    handle: async (ctx, found) => {
      const { employee_id } = ctx.body;
      await linkWaiting(ctx, found, employee_id);
      return done({ id: found.user.id, employee_id }, text('scim.matched', { connection: found.connection.name }));
    },
  }),
  bind(scimConnections.dismissWaiting, {
    find: findWaiting,
    handle: async (ctx, { user }) => void (await dismissWaiting(ctx, user)),
  }),
  bind(scimConnections.createWaiting, {
    lookUps: personLookUps('employees.create'),
    find: findWaiting,
    handle: async (ctx, found) => {
      const { id, warnings } = await createWaiting(ctx, found);
      const message = text('scim.added', { connection: found.connection.name });
      return { ...done({ id: found.user.id, employee_id: id }, message), ...(warnings.length > 0 && { warnings }) };
    },
  }),
];
