import { formerResults, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx, RecordCtx } from '../../http/context.ts';
import { forbidden } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { findEmployee } from '../../people/queries.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { correctResult, deleteResult } from './correct.ts';
import { findResult, listResults, mayCorrect, present } from './queries.ts';

type OneCtx = RecordCtx & { params: { resultId: number } };

const findPerson = (ctx: RecordCtx) => findEmployee(ctx, ctx.params.id, 'kpi-evaluation.view');

async function findForChange(ctx: OneCtx) {
  const person = await findEmployee(ctx, ctx.params.id, 'kpi-evaluation.hr-review');
  return { person, row: await findResult(ctx.db, person.id, ctx.params.resultId, { lock: true }) };
}

function allowChange({ actor }: ReadCtx, { person }: { person: EmployeeRecord }): void {
  if (!mayCorrect(actor, person)) throw forbidden();
}

export const formerResultRoutes = [
  bind(formerResults.list, {
    find: findPerson,
    handle: async (ctx, person) => pageOf(ctx, ctx.query, await listResults(ctx.db, ctx.actor, person, ctx.query)),
  }),
  bind(formerResults.get, {
    find: findPerson,
    handle: async (ctx, person) =>
      read(present(ctx.actor, person)(await findResult(ctx.db, person.id, ctx.params.resultId))),
  }),
  bind(formerResults.update, {
    find: findForChange,
    allow: allowChange,
    handle: async (ctx, { person, row }) => {
      await correctResult(ctx, person, { row, body: ctx.body });
      const after = await findResult(ctx.db, person.id, row.id);
      return done(present(ctx.actor, person)(after), text('former_results.corrected'));
    },
  }),
  bind(formerResults.delete, {
    find: findForChange,
    allow: allowChange,
    handle: async (ctx, { person, row }) => deleteResult(ctx, person, row, ctx.body.reason),
  }),
];
