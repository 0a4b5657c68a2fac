import type { Message } from '../../../http/errors.ts';
import type { employees } from '@tenure/contract';
import { jobFields, messages } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../../access/actor.ts';
import { accountKey, requireCover } from '../../../access/cover.ts';
import { changesBetween, record } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { HandlerCtx } from '../../../http/context.ts';
import { forbidden, invalid, invalidFields, say } from '../../../http/errors.ts';
import type { FieldErrors } from '../../../http/errors.ts';
import { notifyPasswordsShown } from '../../../notifications/account.ts';
import { notifyCreated } from '../../../notifications/people.ts';
import { inSameCompany, recordJobChange } from '../../../people/job-write.ts';
import { loadRuleContext } from '../../../people/rule-context.ts';
import type { Values } from '../../../people/fields.ts';
import { movesTo, refuseGains } from '../../../people/gains.ts';
import type { GainsChecked } from '../../../people/gains.ts';
import { takeEmployeeNumbers } from '../../../people/numbers.ts';
import { issueOneTimePassword } from '../passwords/passwords.ts';
import type { IssuedPassword } from '../passwords/passwords.ts';
import { covers, refuseEarlyAccess, refuseUnseen } from '../../../people/policy.ts';
import type { ScopedPerson } from '../../../people/policy.ts';
import { assignRoles, noSignIn } from '../../../people/roles.ts';
import { addPerson } from '../../../people/row-write.ts';
import { checkPerson } from '../../../people/rules.ts';

type Ctx = HandlerCtx<typeof employees.create>;
type Created = { id: number; user_id: number | null; entity_id: number; employee_number: string; name: string };

/** Refuses values that need more than the permission to add people. */
function refuseUnpermitted({ actor, body }: Ctx) {
  const { issue_password, assignments, ...sent } = body;
  const scoped: ScopedPerson = {
    id: 0,
    entity_id: body.entity_id,
    department_id: body.department_id,
    reporting_manager_id: body.reporting_manager_id ?? null,
  };
  if (issue_password && !covers(actor, reachOf(actor, 'employees.reset_password'), scoped)) throw forbidden();
  if (assignments?.length && !covers(actor, reachOf(actor, 'employees.assign_roles'), scoped)) throw forbidden();
  refuseEarlyAccess(actor, scoped, sent);
  refuseUnseen(actor, scoped, sent);
}

/** People without an address have no account, so neither password nor roles. */
function refuseWithoutSignIn({ issue_password, assignments }: Ctx['body'], errors: FieldErrors) {
  if (issue_password) errors['issue_password'] = [say('issue_password', noSignIn)];
  if (assignments?.length) errors['assignments'] = [say('assignments', noSignIn)];
}

async function checked(ctx: Ctx): Promise<{ values: Values; warnings: Message[]; gains: GainsChecked }> {
  const context = await loadRuleContext(ctx, 'employees.create', {
    entity_id: ctx.body.entity_id,
    department_id: ctx.body.department_id,
    reporting_manager_id: ctx.body.reporting_manager_id,
  });
  const { values, errors, warnings } = checkPerson({ kind: 'create' }, ctx.body, context);
  if (values.email === null) refuseWithoutSignIn(ctx.body, errors);
  const gains = await refuseGains(ctx.db, ctx.actor, movesTo(0, null, { values, errors }));
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  if (ctx.body.issue_password && values.activity_status === 'inactive')
    throw invalid('issue_password', messages.prohibited);
  return { values, warnings: Object.values(warnings).flat(), gains };
}

/** An account, whose first mails are in the language of the company. */
async function addAccount(db: Db, email: string, entityId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into users (email, locale) select ${email}, locale from entities where id = ${entityId}
    returning id`.execute(db);
  return (rows[0] as { id: number }).id;
}

async function insertPerson(db: Db, values: Values, gains: GainsChecked): Promise<Created> {
  const employee_number =
    values.employee_number ?? ((await takeEmployeeNumbers(db, values.entity_id as number, 1))[0] as string);
  const user_id = values.email === null ? null : await addAccount(db, values.email, values.entity_id as number);
  return addPerson(db, { ...values, user_id, employee_number }, gains);
}

async function giveRoles(ctx: Ctx, { user_id, ...created }: Created): Promise<void> {
  if (user_id === null) return;
  const person = { ...created, user_id, department_id: ctx.body.department_id };
  if (ctx.body.assignments?.length) await assignRoles(ctx, person, ctx.body.assignments);
  else
    await sql`insert into role_assignments (user_id, role_id)
            select ${person.user_id}, id from roles where is_system and name = 'Employee'`.execute(ctx.db);
}

async function givePassword(ctx: Ctx, person: Created & { user_id: number }): Promise<IssuedPassword> {
  await requireCover(ctx.db, ctx.actor, [accountKey(person)]);
  const { name: entity_name } = await ctx.db
    .selectFrom('entities')
    .select('name')
    .where('id', '=', person.entity_id)
    .executeTakeFirstOrThrow();
  const context = { name: person.name, email: ctx.body.email, employee_number: person.employee_number, entity_name };
  const issued = await issueOneTimePassword(
    ctx.db,
    { hashing: ctx.deps.hashing, issuer: ctx.actor },
    person.user_id,
    context,
  );
  await notifyPasswordsShown(ctx, [person.user_id]);
  return issued;
}

/** Adds a person, with an account if there is an address; it has a password only if requested. */
export async function createEmployee(
  ctx: Ctx,
): Promise<{ id: number; warnings: Message[]; password?: IssuedPassword }> {
  refuseUnpermitted(ctx);
  const { values, warnings, gains } = await checked(ctx);
  const person = await insertPerson(ctx.db, values, gains);
  await giveRoles(ctx, person);
  const job = [...jobFields, 'employment_lifecycle' as const].filter((field) => values[field] !== null);
  const first = { employee_ids: [person.id], changed_fields: job, by: ctx.actor, is_first: true };
  await recordJobChange(ctx.db, first, inSameCompany);
  await record(ctx, {
    action: 'employee.created',
    subject_id: person.id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: changesBetween({}, { ...values, employee_number: person.employee_number }),
  });
  await notifyCreated(ctx, person);
  const { user_id } = person;
  if (!ctx.body.issue_password || user_id === null) return { id: person.id, warnings };
  return { id: person.id, warnings, password: await givePassword(ctx, { ...person, user_id }) };
}
