import { brand, text } from '@tenure/contract';
import { effectiveBrand, findBrand, installationBrand, logoReply, settingsOf } from '../../brand/read.ts';
import { changeBrand, removeLogo, resetBrand, setLogo } from '../../brand/write.ts';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { done, read } from '../../http/replies.ts';

const changing = {
  find: async ({ db }: ReadCtx) => ({ ...(await findBrand(db, null, { lock: true })), label: null }),
};
const current = async ({ db }: Pick<ReadCtx, 'db'>) => settingsOf(await findBrand(db, null));

async function ownCompany({ db, actor }: ReadCtx): Promise<number | null> {
  const row = await db
    .selectFrom('employees')
    .select('entity_id')
    .where('id', '=', actor.employee_id ?? 0)
    .executeTakeFirst();
  return row?.entity_id ?? null;
}

export const brandRoutes = [
  bind(brand.shown, { handle: async (ctx) => read(await installationBrand(ctx.db)) }),
  bind(brand.logo, { handle: async (ctx) => logoReply(ctx, await findBrand(ctx.db, null), 'public') }),
  bind(brand.own, { handle: async (ctx) => read(await effectiveBrand(ctx.db, await ownCompany(ctx))) }),
  bind(brand.settings, { handle: async (ctx) => read(await current(ctx)) }),
  bind(brand.update, {
    ...changing,
    handle: async (ctx, before) => {
      await changeBrand(ctx, before, ctx.body);
      return done(await current(ctx), text('brand.saved'));
    },
  }),
  bind(brand.reset, { ...changing, handle: (ctx, before) => resetBrand(ctx, before) }),
  bind(brand.setLogo, {
    ...changing,
    handle: async (ctx, before) => {
      await setLogo(ctx, before, ctx.file);
      return done(await current(ctx), text('brand.logo_saved'));
    },
  }),
  bind(brand.removeLogo, { ...changing, handle: (ctx, before) => removeLogo(ctx, before) }),
];
