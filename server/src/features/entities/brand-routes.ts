import { companyBrand, text } from '@tenure/contract';
import type { CompanyBrandSettings } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import { findBrand, installationBrand, logoReply, settingsOf } from '../../brand/read.ts';
import { changeBrand, removeLogo, resetBrand, setLogo } from '../../brand/write.ts';
import type { Changed } from '../../brand/write.ts';
import { bind } from '../../http/context.ts';
import type { ReadCtx, RecordCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { done, read } from '../../http/replies.ts';
import { entitiesFor } from './policy.ts';
import { findEntity, lockEntity } from './queries.ts';

const changing = {
  find: async ({ db, actor, params }: RecordCtx): Promise<Changed> => {
    const { name } = await lockEntity(db, actor, params.id, 'entities.update');
    return { ...(await findBrand(db, params.id, { lock: true })), label: name };
  },
};

async function settings({ db, actor }: ReadCtx, id: number): Promise<CompanyBrandSettings> {
  const { letter_address, letter_registration, letter_footer, ...row } = await findBrand(db, id);
  const company = await db
    .selectFrom('entities')
    .select(['name', 'address'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound);
  return {
    ...settingsOf({ ...row, letter_address, letter_registration, letter_footer }),
    letter_address,
    letter_registration,
    letter_footer,
    installation: await installationBrand(db),
    company,
    may_change: reachesEntity(reachOf(actor, 'entities.update'), id),
  };
}

/** The logo of a company is visible to its people and to users who see the company. Throws 404 for everyone else. */
async function findForLogo({ db, actor, params: { id } }: RecordCtx) {
  const { rows } = await sql`
    select from entities e where e.id = ${id} and (${entitiesFor(actor, 'entities.view')}
      or exists (select from employees p where p.id = ${actor.employee_id} and p.entity_id = e.id))`.execute(db);
  if (rows.length === 0) throw notFound();
  return findBrand(db, id);
}

export const companyBrandRoutes = [
  bind(companyBrand.get, {
    find: (ctx) => findEntity(ctx.db, ctx.actor, ctx.params.id),
    handle: async (ctx) => read(await settings(ctx, ctx.params.id)),
  }),
  bind(companyBrand.update, {
    ...changing,
    handle: async (ctx, before) => {
      await changeBrand(ctx, before, ctx.body);
      return done(await settings(ctx, ctx.params.id), text('brand.saved'));
    },
  }),
  bind(companyBrand.reset, { ...changing, handle: (ctx, before) => resetBrand(ctx, before) }),
  bind(companyBrand.logo, {
    find: findForLogo,
    handle: (ctx, row) => logoReply(ctx, row, 'private'),
  }),
  bind(companyBrand.setLogo, {
    ...changing,
    handle: async (ctx, before) => {
      await setLogo(ctx, before, ctx.file);
      return done(await settings(ctx, ctx.params.id), text('brand.logo_saved'));
    },
  }),
  bind(companyBrand.removeLogo, { ...changing, handle: (ctx, before) => removeLogo(ctx, before) }),
];
