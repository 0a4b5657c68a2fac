import { probationCriteria, text } from '@tenure/contract';
import { sql } from 'kysely';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { taken } from '../../http/look-ups.ts';
import type { Sent } from '../../http/look-ups.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { createSet, deleteSet, listSets, lockSet, readSet, setsFor, updateSet } from './sets.ts';

/** Names are unique within a company; nothing is revealed about names outside the scope. */
const name = ({ actor, id, sent }: Sent) =>
  taken(
    'name',
    sent['name'],
    sql`select from probation_criteria_sets s
        where fold(s.name) = fold(${sent['name']}) and s.id is distinct from ${id}::bigint and ${setsFor(actor)}
          and s.entity_id = coalesce(
            (select own.entity_id from probation_criteria_sets own where own.id = ${id}::bigint),
            ${sent['entity_id'] ?? null}::bigint)`,
  );

const find = (ctx: ReadCtx & { params: { id: number } }) => lockSet(ctx, ctx.params.id);

export const probationCriteriaRoutes = [
  bind(probationCriteria.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listSets(ctx, ctx.query)),
  }),
  bind(probationCriteria.get, { handle: async (ctx) => read(await readSet(ctx, ctx.params.id)) }),
  bind(probationCriteria.create, {
    lookUps: name,
    handle: async (ctx) => {
      const id = await createSet(ctx);
      return done(await readSet(ctx, id), text('probation.set_created'));
    },
  }),
  bind(probationCriteria.update, {
    find,
    lookUps: name,
    handle: async (ctx, set) => {
      await updateSet(ctx, set);
      return done(await readSet(ctx, set.id), text('probation.set_updated'));
    },
  }),
  bind(probationCriteria.delete, { find, handle: deleteSet }),
];
