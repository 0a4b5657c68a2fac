import { messages, responsibilities, text } from '@tenure/contract';
import type { BodyOut, ResponsibilityKind } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { done, pageOf } from '../../http/replies.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { another } from './lifecycle/routes.ts';
import { lockWork, reassign, refuseTaking } from './lifecycle/reassign.ts';
import type { Dependents, Selection } from '../../people/dependents.ts';
import { employeeReply, findEmployee } from '../../people/queries.ts';
import { listResponsibilities } from './responsibilities.ts';

type Items = NonNullable<BodyOut<typeof responsibilities.reassign>['items']>;

/** The named responsibilities, as the reassignment selects them. */
function selectionOf(items: Items | null | undefined): Selection | undefined {
  if (!items) return undefined;
  const ids = (...kinds: ResponsibilityKind[]) => items.flatMap((one) => (kinds.includes(one.kind) ? [one.id] : []));
  return {
    departments: ids('department_managed', 'department_led'),
    reports: ids('direct_report'),
    evaluations: ids('evaluation'),
    reviews: ids('probation_review'),
    cycles: ids('kpi_cycle'),
  };
}

export const responsibilityRoutes = (dependents: Dependents) => [
  bind(responsibilities.list, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.deactivate'),
    handle: async (ctx, person) =>
      pageOf(ctx, ctx.query, await listResponsibilities({ ...ctx, dependents }, person.id, ctx.query)),
  }),
  bind(responsibilities.reassign, {
    ...another('employees.deactivate', { lock: 'with team' }),
    handle: async (ctx, person) => {
      const { reassign_to, items, revision } = ctx.body;
      const only = selectionOf(items);
      const gains = await refuseTaking({ ...ctx, dependents }, person, reassign_to, only);
      checkRevision(person, { revision }, person.activity_status);
      await lockWork(ctx.db, person, reassign_to);
      const moved = await reassign({ ...ctx, dependents }, { from: person, successorId: reassign_to, gains, only });
      // another user may have reassigned one of them meanwhile
      if (items && moved !== items.length) throw invalid('items', messages.selected);
      return done(await employeeReply(ctx, person.id), text('responsibilities.reassigned', { count: moved }));
    },
  }),
];
