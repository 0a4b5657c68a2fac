import { identityProviders, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx, RecordCtx } from '../../http/context.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { personLookUps } from '../employees/record/look-ups.ts';
import { createPerson, dismissPerson, linkPerson } from './link.ts';
import {
  findForLinks,
  findStored,
  listProviders,
  listUnmatched,
  listWaiting,
  lockProvider,
  lockUnmatched,
  readProvider,
  readUnmatched,
} from './queries.ts';
import { createProvider, deleteProvider, switchProvider, updateProvider } from './write.ts';

const find = (ctx: RecordCtx) => lockProvider(ctx, ctx.params.id);

const withoutTransaction = 'the provider is asked first, which may take seconds';

type UnmatchedCtx = ReadCtx & { params: { id: number; unmatchedId: number } };

const findUnmatched = async (ctx: UnmatchedCtx) => {
  const provider = await findForLinks(ctx, ctx.params.id);
  return { provider, person: await lockUnmatched(ctx, provider.id, ctx.params.unmatchedId) };
};

export const identityProviderRoutes = [
  bind(identityProviders.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listProviders(ctx, ctx.query)) }),
  bind(identityProviders.get, { handle: async (ctx) => read(await readProvider(ctx, ctx.params.id)) }),
  bind(identityProviders.create, {
    withoutTransaction,
    handle: async (ctx) => done(await readProvider(ctx, await createProvider(ctx)), text('sso.created')),
  }),
  bind(identityProviders.update, {
    find: (ctx) => findStored(ctx, ctx.params.id),
    withoutTransaction,
    handle: async (ctx, provider) => {
      await updateProvider(ctx, provider);
      return done(await readProvider(ctx, provider.id), text('sso.updated'));
    },
  }),
  bind(identityProviders.delete, { find, handle: deleteProvider }),
  bind(identityProviders.enable, {
    find,
    handle: async (ctx, provider) => {
      await switchProvider(ctx, provider, true);
      return done(await readProvider(ctx, provider.id), text('sso.enabled'));
    },
  }),
  bind(identityProviders.disable, {
    find,
    handle: async (ctx, provider) => {
      await switchProvider(ctx, provider, false);
      return done(await readProvider(ctx, provider.id), text('sso.disabled'));
    },
  }),
  bind(identityProviders.unmatched, {
    find: (ctx) => findForLinks(ctx, ctx.params.id),
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listUnmatched(ctx, id, ctx.query)),
  }),
  bind(identityProviders.oneUnmatched, {
    find: (ctx) => findForLinks(ctx, ctx.params.id),
    handle: async (ctx, provider) => read(await readUnmatched(ctx, provider, ctx.params.unmatchedId)),
  }),
  bind(identityProviders.createUnmatched, {
    lookUps: personLookUps('employees.create'),
    find: findUnmatched,
    handle: async (ctx, found) => {
      const { id, warnings } = await createPerson(ctx, found);
      const message = text('sso.added', { provider: found.provider.name });
      return { ...done({ id: found.person.id, employee_id: id }, message), ...(warnings.length > 0 && { warnings }) };
    },
  }),
  bind(identityProviders.waiting, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listWaiting(ctx, ctx.query)),
  }),
  bind(identityProviders.linkUnmatched, {
    find: findUnmatched,
    handle: async (ctx, found) => {
      const { employee_id } = ctx.body;
      await linkPerson(ctx, found, employee_id);
      const message = text('sso.matched', { provider: found.provider.name });
      return done({ id: found.person.id, employee_id }, message);
    },
  }),
  bind(identityProviders.dismissUnmatched, {
    find: findUnmatched,
    handle: async (ctx, { person }) => void (await dismissPerson(ctx, person)),
  }),
];
