import type { employees } from '@tenure/contract';
import { jobFields } from '@tenure/contract';
import { endSessionsOf } from '../../access/sessions.ts';
import { changesBetween, record } from '../../audit.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { invalidFields } from '../../http/errors.ts';
import { checkRevision } from '../../workflow.ts';
import { recordJobChange } from '../job-history/write.ts';
import { loadFacts, refuseManagerCycle } from './facts.ts';
import { valuesOf } from './fields.ts';
import type { Field, Values } from './fields.ts';
import { refuseOwnChanges, refuseUnseen } from './policy.ts';
import type { EmployeeRecord } from './queries.ts';
import { judge } from './rules.ts';
import type { Verdict } from './rules.ts';

type Ctx = HandlerCtx<typeof employees.update>;

const pick = (values: Values, fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, values[field]])) as Partial<Values>;

async function judged(ctx: Ctx, person: EmployeeRecord): Promise<Verdict> {
  const { revision, ...sent } = ctx.body;
  refuseUnseen(ctx.actor, person, sent);
  const stored = valuesOf(person);
  const facts = await loadFacts(
    ctx,
    'employees.update',
    {
      entity_id: sent.entity_id,
      department_id: sent.department_id,
      reporting_manager_id: sent.reporting_manager_id,
    },
    stored,
  );
  const verdict = judge({ kind: 'update', id: person.id, stored }, sent, facts);
  refuseOwnChanges(ctx.actor, person, verdict.changed);
  checkRevision(person, { revision }, person.activity_status);
  if (Object.keys(verdict.errors).length > 0) throw invalidFields(verdict.errors);
  return verdict;
}

async function store(ctx: Ctx, person: EmployeeRecord, { values, changed }: Verdict): Promise<void> {
  const { db } = ctx;
  if (changed.includes('email')) {
    // the address of the person follows by foreign key
    const email = values.email as string;
    await db.updateTable('users').set({ email }).where('id', '=', person.user_id).execute();
    await endSessionsOf(db, [person.user_id], 'e-mail changed');
  }
  const others = changed.filter((field) => field !== 'email');
  if (others.length > 0)
    await db
      .updateTable('employees')
      .set(pick(values, others) as object)
      .where('id', '=', person.id)
      .execute();
}

/**
 * Changes what was sent and differs from what is stored. A changed job goes into the job history from today.
 * @returns advice about the new values
 */
export async function updateEmployee(ctx: Ctx, person: EmployeeRecord): Promise<string[]> {
  const verdict = await judged(ctx, person);
  const { values, changed } = verdict;
  if (changed.length === 0) return [];
  if (changed.includes('reporting_manager_id') && values.reporting_manager_id !== null)
    await refuseManagerCycle(ctx.db, person.id, values.reporting_manager_id);
  await store(ctx, person, verdict);
  const job = jobFields.filter((field) => changed.includes(field));
  if (job.length > 0) await recordJobChange(ctx.db, { employee_ids: [person.id], changed_fields: job, by: ctx.actor });
  await record(ctx, {
    action: 'employee.updated',
    subject_id: person.id,
    subject_label: person.name,
    entity_id: values.entity_id,
    changes: changesBetween(valuesOf(person), pick(values, changed)),
  });
  return Object.values(verdict.warnings).flat();
}
