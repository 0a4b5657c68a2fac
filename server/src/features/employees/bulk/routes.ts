import { duplicates, employeeBulk, text } from '@tenure/contract';
import { bind } from '../../../http/context.ts';
import { done, read } from '../../../http/replies.ts';
import type { Dependents } from '../../../people/dependents.ts';
import { changeMany } from './bulk.ts';
import { findDuplicates } from '../record/duplicates.ts';

export const bulkRoutes = (dependents: Dependents) => [
  bind(employeeBulk.change, {
    handle: async (ctx) => {
      const result = await changeMany({ ...ctx, dependents }, ctx.body);
      const { changed, refused } = result.counts;
      const key = result.dry_run ? 'employees.bulk_would_change' : 'employees.bulk_changed';
      const message = refused > 0 ? text(`${key}_some`, { count: changed, refused }) : text(key, { count: changed });
      return done(result, message);
    },
  }),
  bind(duplicates.find, { handle: async (ctx) => read(await findDuplicates(ctx, ctx.query)) }),
];
