import type { Message } from '../../http/errors.ts';
import { consequences, employees, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { employeeConsequences } from './record/consequences.ts';
import { createEmployee } from './record/create.ts';
import { exportEmployees } from './directory/export.ts';
import { headCountOn } from './directory/head-count.ts';
import { listEmployees } from './directory/list.ts';
import { personLookUps } from './record/look-ups.ts';
import type { Dependents } from '../../people/dependents.ts';
import { requireAdminFor } from '../../people/policy.ts';
import { presentAsOf } from '../../people/job-as-of.ts';
import { profilePdf } from './record/pdf.ts';
import { recordPrivateLook } from './record/private-looks.ts';
import { employeeReply, findEmployee } from '../../people/queries.ts';
import { isPrivate, namesPrivate, presentEmployee } from '../../people/shown-fields.ts';
import { updateEmployee } from './record/update.ts';

const advice = (warnings: Message[]) => (warnings.length > 0 ? { warnings } : {});

export const employeeRoutes = (dependents: Dependents) => [
  bind(employees.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listEmployees(ctx, ctx.query)),
  }),
  bind(employees.export, { handle: exportEmployees }),
  bind(employees.headCount, { handle: async (ctx) => read(await headCountOn(ctx, ctx.query)) }),
  bind(employees.get, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.view'),
    handle: async (ctx, person) => {
      const { reveal, as_of } = ctx.query;
      if (as_of) return read(await presentAsOf(ctx, person, as_of));
      if (reveal) await recordPrivateLook(ctx, person, reveal);
      return read(presentEmployee(ctx.actor, person, { private: reveal !== undefined, bank: reveal === 'bank' }));
    },
  }),
  bind(employees.pdf, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.view'),
    handle: async (ctx, person) => profilePdf(ctx, person),
  }),
  bind(consequences.ofEmployee, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.deactivate'),
    handle: async (ctx, person) => read(await employeeConsequences(ctx, person)),
  }),
  bind(employees.create, {
    lookUps: personLookUps('employees.create'),
    handle: async (ctx) => {
      const { id, warnings, password } = await createEmployee(ctx);
      const data = await employeeReply(ctx, id, { private: true });
      return { ...done(data, text('employees.created')), ...advice(warnings), ...password };
    },
  }),
  bind(employees.update, {
    lookUps: personLookUps('employees.update'),
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.update', { lock: true }),
    allow: (ctx, person) => requireAdminFor(ctx.actor, person),
    handle: async (ctx, person) => {
      const { changed, warnings } = await updateEmployee({ ...ctx, dependents }, person);
      const shown = { private: namesPrivate(ctx.body) };
      // the log already contains the change itself
      if (shown.private && !changed.some(isPrivate)) await recordPrivateLook(ctx, person, 'private');
      const data = await employeeReply(ctx, person.id, shown);
      return { ...done(data, text('employees.updated')), ...advice(warnings) };
    },
  }),
];
