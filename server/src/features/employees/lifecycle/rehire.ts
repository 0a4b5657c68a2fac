import { employees, jobFields, messages, text } from '@tenure/contract';
import { changesBetween, record } from '../../../audit.ts';
import type { HandlerCtx } from '../../../http/context.ts';
import { conflict, invalid, invalidFields } from '../../../http/errors.ts';
import { requireProof } from '../../../http/permission.ts';
import { notifyCreated } from '../../../notifications/people.ts';
import { checkRevision } from '../../../workflow/transition.ts';
import type { PeopleCtx } from '../../../people/dependents.ts';
import { cancelFormerPlans } from '../../../people/confirmations.ts';
import { recordJobChange } from '../../../people/job-write.ts';
import { loadRuleContext, refuseManagerCycle } from '../../../people/rule-context.ts';
import { valuesOf } from '../../../people/fields.ts';
import type { Values } from '../../../people/fields.ts';
import { beginAnew } from '../../../people/former-roles.ts';
import { movesTo, refuseGains } from '../../../people/gains.ts';
import type { GainsChecked } from '../../../people/gains.ts';
import { fieldsFor, lastDayPast, refuseEarlyAccess, refuseUnseen, unseenIn } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { movePerson } from '../../../people/row-write.ts';
import { checkPerson } from '../../../people/rules.ts';
import type { Verdict } from '../../../people/rules.ts';
import { setAddresses } from '../../../people/sign-ins.ts';
import { endDeputising, endFormerAbsences } from '../absences/write.ts';

type Ctx = HandlerCtx<typeof employees.rehire>;

const leaving = ['resigned', 'terminated'];
const refusal = text('employees.not_separated');

function refuseUnlessGone(person: EmployeeRecord) {
  const { employment_lifecycle: status, revision } = person;
  if (!leaving.includes(status) || !lastDayPast(person)) throw conflict(refusal, { status, revision });
}

async function checked(ctx: Ctx, person: EmployeeRecord): Promise<{ verdict: Verdict; gains: GainsChecked }> {
  const { revision, ...sent } = ctx.body;
  // no `movesWayIn` as in an update: the account starts again as Employee, and the route checked those rights
  refuseEarlyAccess(ctx.actor, person, sent);
  refuseUnseen(ctx.actor, person, sent);
  const stored = valuesOf(person);
  // all references of the new employment must exist and be in scope today, including unchanged ones
  const wanted = { ...stored, ...sent };
  const context = await loadRuleContext(ctx, 'employees.create', {
    entity_id: wanted.entity_id,
    department_id: wanted.department_id,
    reporting_manager_id: wanted.reporting_manager_id,
  });
  const unseen = unseenIn(fieldsFor(ctx.actor)(person));
  const verdict = checkPerson({ kind: 'rehire', id: person.id, stored, reviews: person, unseen }, sent, context);
  const gains = await refuseGains(ctx.db, ctx.actor, movesTo(person.id, person, verdict));
  requireProof(ctx, employees.rehire, verdict.changed);
  if (Object.keys(verdict.errors).length > 0) throw invalidFields(verdict.errors);
  checkRevision(person, { revision }, person.employment_lifecycle);
  refuseUnlessGone(person);
  const { last_working_date: lastDay } = person;
  if (lastDay !== null && sent.joining_date <= lastDay) throw invalid('joining_date', messages.after(lastDay));
  return { verdict, gains };
}

const fresh = {
  extension_count: 0,
  probation_paused_from: null,
  probation_resumed_on: null,
  probation_pauses: '{}',
  separation_reason: null,
  lifecycle_before_separation: null,
};

async function store(
  ctx: Ctx,
  person: EmployeeRecord,
  { values, changed }: Verdict,
  gains: GainsChecked,
): Promise<void> {
  const { employment_lifecycle, email: _moved, ...others } = values;
  const set = Object.fromEntries(Object.entries(others).filter(([field]) => (changed as string[]).includes(field)));
  await movePerson(
    ctx.db,
    ctx.actor,
    {
      column: 'employment_lifecycle',
      id: person.id,
      from: leaving,
      to: employment_lifecycle as string,
      set: { ...set, ...fresh },
      refusal: () => refusal,
    },
    gains,
  );
}

/** The account of the new employment, after a change of address; null without an account. */
async function accountAfter(ctx: Ctx, { id, user_id, email }: EmployeeRecord, { values }: Verdict) {
  if (values.email === email) return user_id;
  const given = await setAddresses(ctx, [{ id, user_id, from: email, to: values.email }]);
  return values.email === null ? null : (user_id ?? given.get(id) ?? null);
}

/** The first day of the new job; a future job starts today, because it is the current job. */
const startOf = ({ joining_date }: Values, { today }: EmployeeRecord) =>
  joining_date !== null && joining_date < today ? { effective_from: joining_date } : {};

/** The last day of the former employment; if unknown, the day before the new one or today. */
const lastDayOf = ({ last_working_date, today }: EmployeeRecord, { joining_date }: Values): string =>
  last_working_date ??
  Temporal.PlainDate.from(joining_date !== null && joining_date < today ? joining_date : today)
    .subtract({ days: 1 })
    .toString();

/** Rehires a former employee under the same number and account, on probation again. */
export async function rehire(ctx: Ctx & PeopleCtx, person: EmployeeRecord): Promise<void> {
  const { verdict, gains } = await checked(ctx, person);
  const { values, changed } = verdict;
  if (values.reporting_manager_id !== null) await refuseManagerCycle(ctx.db, person.id, values.reporting_manager_id);
  await store(ctx, person, verdict, gains);
  const user_id = await accountAfter(ctx, person, verdict);
  await beginAnew(ctx, { ...person, user_id, entity_id: values.entity_id as number }, 'new employment');
  await cancelFormerPlans(ctx, person.id);
  await endFormerAbsences(ctx, person, lastDayOf(person, values));
  await endDeputising(ctx, person);
  const job = {
    employee_ids: [person.id],
    changed_fields: [...jobFields.filter((field) => changed.includes(field)), 'employment_lifecycle'],
    by: ctx.actor,
    rehired_after: person.last_working_date ?? person.today,
    ...startOf(values, person),
  };
  await recordJobChange(ctx.db, job, ctx.dependents.follow);
  await record(ctx, {
    action: 'employee.rehired',
    subject_id: person.id,
    subject_label: person.name,
    entity_id: values.entity_id,
    changes: changesBetween(valuesOf(person), values),
  });
  await notifyCreated(ctx, person);
}
