import { employees, text } from '@tenure/contract';
import { reachesDepartment, reachOf } from '../../../access/actor.ts';
import { bind } from '../../../http/context.ts';
import type { RecordCtx } from '../../../http/context.ts';
import { forbidden } from '../../../http/errors.ts';
import type { Dependents } from '../../../people/dependents.ts';
import { requireOther } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { pause, resume } from './pause.ts';
import { correctEnd, extendByHand } from './probation.ts';
import { afterwards, another } from './routes.ts';

/** Another person, with a permission for everything, the company or the department. */
const anotherInCompany = {
  ...another('employees.update'),
  allow: ({ actor }: RecordCtx, person: EmployeeRecord) => {
    requireOther(actor, person);
    if (!reachesDepartment(reachOf(actor, 'employees.update'), person)) throw forbidden();
  },
};

export const probationEndRoutes = (dependents: Dependents) => [
  bind(employees.extendProbation, {
    ...another('employees.update'),
    handle: async (ctx, person) => {
      await extendByHand(ctx, person, ctx.body);
      return afterwards(ctx, person, text('probation.extended'));
    },
  }),
  bind(employees.correctProbation, {
    ...anotherInCompany,
    handle: async (ctx, person) => {
      await correctEnd(ctx, person, ctx.body);
      return afterwards(ctx, person, text('probation.end_corrected'));
    },
  }),
  bind(employees.pauseProbation, {
    ...anotherInCompany,
    handle: async (ctx, person) => {
      await pause(ctx, person, ctx.body);
      return afterwards(ctx, person, text('probation.paused'));
    },
  }),
  bind(employees.resumeProbation, {
    ...anotherInCompany,
    handle: async (ctx, person) => {
      await resume({ ...ctx, dependents }, person, ctx.body);
      return afterwards(ctx, person, text('probation.resumed'));
    },
  }),
];
