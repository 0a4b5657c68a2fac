import { employees, text } from '@tenure/contract';
import { reachOf } from '../../../access/actor.ts';
import { bind } from '../../../http/context.ts';
import type { RecordCtx } from '../../../http/context.ts';
import { forbidden } from '../../../http/errors.ts';
import { coversCompany, requireOther } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { correctEnd, extendByHand } from './probation.ts';
import { afterwards, another } from './routes.ts';

export const probationEndRoutes = [
  bind(employees.extendProbation, {
    ...another('employees.update'),
    handle: async (ctx, person) => {
      await extendByHand(ctx, person, ctx.body);
      return afterwards(ctx, person, text('probation.extended'));
    },
  }),
  bind(employees.correctProbation, {
    ...another('employees.update'),
    allow: ({ actor }: RecordCtx, person: EmployeeRecord) => {
      requireOther(actor, person);
      if (!coversCompany(actor, reachOf(actor, 'employees.update'), person)) throw forbidden();
    },
    handle: async (ctx, person) => {
      await correctEnd(ctx, person, ctx.body);
      return afterwards(ctx, person, text('probation.end_corrected'));
    },
  }),
];
