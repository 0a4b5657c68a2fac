import { consequences, employees } from '@tenure/contract';
import { record } from '../../audit.ts';
import { bind } from '../../http/context.ts';
import type { Ctx } from '../../http/context.ts';
import { forbidden } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { employeeConsequences } from './consequences.ts';
import { createEmployee } from './create.ts';
import { exportEmployees } from './export.ts';
import { listEmployees } from './list.ts';
import { covers, fieldsFor, privateReach, requireAdminFor } from './policy.ts';
import { employeeReply, findEmployee } from './queries.ts';
import type { EmployeeRecord } from './queries.ts';
import { presentEmployee } from './shown-fields.ts';
import { updateEmployee } from './update.ts';

const note = (ctx: Ctx, person: EmployeeRecord, action: `employee.${string}`) =>
  record(ctx, { action, subject_id: person.id, subject_label: person.name, entity_id: person.entity_id });

/** Leaves a trace of whoever looks at private details of somebody else. */
async function noteLook(ctx: Ctx, person: EmployeeRecord, reveal: boolean) {
  const mayReveal = covers(ctx.actor, privateReach(ctx.actor), person);
  if (reveal) await note(ctx, person, mayReveal ? 'employee.bank_revealed' : 'employee.reveal_refused');
  else if (person.id !== ctx.actor.employee_id && fieldsFor(ctx.actor)(person).private)
    await note(ctx, person, 'employee.private_viewed');
  if (reveal && !mayReveal) throw forbidden();
}

const advice = (warnings: string[]) => (warnings.length > 0 ? { warnings } : {});

export const employeeRoutes = [
  bind(employees.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listEmployees(ctx, ctx.query)),
  }),
  bind(employees.export, { handle: exportEmployees }),
  bind(employees.get, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.view'),
    handle: async (ctx, person) => {
      const reveal = ctx.query.reveal === 'bank';
      await noteLook(ctx, person, reveal);
      return read(presentEmployee(ctx.actor, person, { reveal }));
    },
  }),
  bind(consequences.ofEmployee, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.deactivate'),
    handle: async (ctx, person) => read(await employeeConsequences(ctx, person)),
  }),
  bind(employees.create, {
    handle: async (ctx) => {
      const { id, warnings, password } = await createEmployee(ctx);
      const data = await employeeReply(ctx, id);
      return { ...done(data, 'Employee created successfully.'), ...advice(warnings), ...password };
    },
  }),
  bind(employees.update, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.update', { lock: true }),
    allow: (ctx, person) => requireAdminFor(ctx.actor, person),
    handle: async (ctx, person) => {
      const warnings = await updateEmployee(ctx, person);
      const data = await employeeReply(ctx, person.id);
      return { ...done(data, 'Employee updated successfully.'), ...advice(warnings) };
    },
  }),
];
