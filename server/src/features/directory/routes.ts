import { directory } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { Ctx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { pageOf, read } from '../../http/replies.ts';
import { pictureReply } from '../../people/pictures.ts';
import { findPicture, listCards, readPerson, readPlaces } from './queries.ts';

type Asked = Pick<Ctx, 'deps'>;

const isOn = ({ deps }: Asked) => deps.config.DIRECTORY;

/** If the installation has no directory, all of its endpoints answer 404. */
const someone = {
  find: (ctx: Asked): Promise<void> => (isOn(ctx) ? Promise.resolve() : Promise.reject(notFound())),
};

export const directoryRoutes = [
  bind(directory.list, {
    handle: async (ctx) =>
      pageOf(ctx, ctx.query, isOn(ctx) ? await listCards(ctx.db, ctx.query) : { rows: [], total: 0 }),
  }),
  bind(directory.places, {
    handle: async (ctx) => read(isOn(ctx) ? await readPlaces(ctx.db) : { entities: [], departments: [] }),
  }),
  bind(directory.get, { ...someone, handle: async (ctx) => read(await readPerson(ctx.db, ctx.params.id)) }),
  bind(directory.picture, {
    ...someone,
    // not by employee number, which cards do not show
    handle: async (ctx) =>
      pictureReply(ctx, { ...(await findPicture(ctx.db, ctx.params.id)), name: `colleague-${ctx.params.id}` }),
  }),
];
