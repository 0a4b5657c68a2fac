import { duplicates, employeeBulk } from '@tenure/contract';
import { bind } from '../../../http/context.ts';
import { done, read } from '../../../http/replies.ts';
import type { Dependents } from '../../../people/dependents.ts';
import { counted } from '../../../wording.ts';
import { changeMany } from './bulk.ts';
import { findDuplicates } from '../record/duplicates.ts';

export const bulkRoutes = (dependents: Dependents) => [
  bind(employeeBulk.change, {
    handle: async (ctx) => {
      const result = await changeMany({ ...ctx, dependents }, ctx.body);
      const { changed, refused } = result.counts;
      const people = counted(changed, 'person', 'people');
      const rest = refused > 0 ? `, ${refused} refused` : '';
      return done(result, result.dry_run ? `${people} would change${rest}.` : `${people} changed${rest}.`);
    },
  }),
  bind(duplicates.find, { handle: async (ctx) => read(await findDuplicates(ctx, ctx.query)) }),
];
