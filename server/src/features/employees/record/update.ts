import type { Message } from '../../../http/errors.ts';
import { employees, jobFields, text } from '@tenure/contract';
import type { BodyOut } from '@tenure/contract';
import type { Actor } from '../../../access/actor.ts';
import { accountKey, requireCover } from '../../../access/cover.ts';
import { changesBetween, record } from '../../../audit.ts';
import type { ServiceCtx, WriteCtx } from '../../../http/context.ts';
import { forbidden, invalidFields, say } from '../../../http/errors.ts';
import { requireProof } from '../../../http/permission.ts';
import { requestAddressChange, toBeConfirmed } from '../../../people/address-changes.ts';
import { checkRevision } from '../../../workflow/transition.ts';
import { recordJobChange } from '../../../people/job-write.ts';
import type { PeopleCtx } from '../../../people/dependents.ts';
import { loadRuleContext, refuseManagerCycle } from '../../../people/rule-context.ts';
import { valuesOf } from '../../../people/fields.ts';
import type { Field, Values } from '../../../people/fields.ts';
import {
  fieldsFor,
  movesWayIn,
  neededToChange,
  refuseOwnChanges,
  refuseUnseen,
  unseenIn,
} from '../../../people/policy.ts';
import { checkMoves, movesTo } from '../../../people/gains.ts';
import type { GainsChecked } from '../../../people/gains.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { changePeople } from '../../../people/row-write.ts';
import { checkPerson } from '../../../people/rules.ts';
import type { RuleContext, Verdict } from '../../../people/rules.ts';
import { addressInUse, setAddresses, usedAccounts } from '../../../people/sign-ins.ts';

type Body = BodyOut<typeof employees.update>;
/** A person, and what the rules say about a change. */
export type Update = { person: EmployeeRecord; verdict: Verdict };

const pick = (values: Values, fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, values[field]])) as Partial<Values>;

/** Checks a change of one person, given its loaded references. Throws the 403 of an update. */
export function checkUpdate(
  actor: Actor,
  person: EmployeeRecord,
  { revision: _seen, address_takes_effect: _when, ...sent }: Body,
  context: RuleContext,
): Verdict {
  refuseUnseen(actor, person, sent);
  const unseen = unseenIn(fieldsFor(actor)(person));
  const purpose = { kind: 'update', id: person.id, stored: valuesOf(person), reviews: person, unseen } as const;
  const verdict = checkPerson(purpose, sent, context);
  refuseOwnChanges(actor, person, verdict.changed);
  if (movesWayIn(person, verdict.changed)) throw forbidden();
  return verdict;
}

/**
 * Checks the rights gained through changes, and returns the proof that writing the others requires. `requireFit`
 * refuses references that the actor cannot name.
 */
export async function checkGains(
  { db, actor }: Pick<WriteCtx, 'db' | 'actor'>,
  updates: readonly Update[],
): Promise<{ refused: (person: EmployeeRecord) => boolean; gains: GainsChecked }> {
  const moves = updates.flatMap(({ person, verdict }) => movesTo(person.id, person, verdict));
  const { refused, checked } = await checkMoves(db, actor, moves);
  const ids = new Set([...refused].map(({ id }) => id));
  return { refused: ({ id }) => ids.has(id), gains: checked };
}

/** Throws the 422 of an update. */
export function requireFit(person: EmployeeRecord, { revision }: Body, { errors }: Verdict): void {
  checkRevision(person, { revision }, person.activity_status);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** True when the change sets another manager, so that a circle might close. */
export const getsManager = ({ values, changed }: Verdict): boolean =>
  changed.includes('reporting_manager_id') && values.reporting_manager_id !== null;

type Storing = { reason: string | null; gains: GainsChecked };

/** Stores the same new values for several people. */
async function storeSame(
  { db, actor, dependents }: PeopleCtx,
  updates: readonly Update[],
  { reason, gains }: Storing,
): Promise<void> {
  const [first] = updates as [Update, ...Update[]];
  const { values, changed } = first.verdict;
  const ids = updates.map(({ person }) => person.id);
  if (changed.includes('email')) {
    // addresses are unique, so a group is one person with a new address, or people who lose theirs
    const moves = updates.map(({ person: { id, user_id, email } }) => ({ id, user_id, from: email, to: values.email }));
    await setAddresses({ db, actor }, moves);
  }
  const others = changed.filter((field) => field !== 'email');
  if (others.length > 0) await changePeople(db, actor, ids, pick(values, others) as object, gains);
  const job = jobFields.filter((field) => changed.includes(field));
  if (job.length > 0)
    await recordJobChange(db, { employee_ids: ids, changed_fields: job, by: actor, reason }, dependents.follow);
}

/** Stores checked changes, grouped by equal values. A changed job enters the history from today. */
export async function storeUpdates(doing: PeopleCtx, updates: readonly Update[], storing: Storing): Promise<void> {
  const changing = updates.filter(({ verdict }) => verdict.changed.length > 0);
  const alike = Map.groupBy(changing, ({ verdict }) => JSON.stringify(pick(verdict.values, verdict.changed)));
  for (const group of alike.values()) await storeSame(doing, group, storing);
  const entries = changing.map(({ person, verdict: { values, changed } }) => ({
    action: 'employee.updated' as const,
    subject_id: person.id,
    subject_label: person.name,
    entity_id: values.entity_id,
    changes: changesBetween(valuesOf(person), pick(values, changed)),
    reason: storing.reason,
  }));
  await record(doing, ...entries);
}

/** The account whose new address must be confirmed first; undefined if the change takes effect immediately. */
async function addressToConfirm(ctx: UpdateCtx, person: EmployeeRecord, { values, changed }: Verdict) {
  if (!changed.includes('email') || values.email === null || ctx.body.address_takes_effect === 'now') return undefined;
  const owner = await toBeConfirmed(ctx, person);
  return owner && { owner, to: values.email };
}

const withoutAddress = (verdict: Verdict, { email }: EmployeeRecord): Verdict => ({
  ...verdict,
  values: { ...verdict.values, email },
  changed: verdict.changed.filter((field) => field !== 'email'),
});

type UpdateCtx = PeopleCtx & ServiceCtx & { body: Body };

/** Updates the sent fields that differ from the stored ones. Returns the changed fields, and warnings. */
export async function updateEmployee(
  ctx: UpdateCtx,
  person: EmployeeRecord,
): Promise<{ changed: readonly Field[]; warnings: Message[] }> {
  const { entity_id, department_id, reporting_manager_id } = ctx.body;
  const references = { entity_id, department_id, reporting_manager_id };
  const context = await loadRuleContext(ctx, 'employees.update', references, valuesOf(person));
  const verdict = checkUpdate(ctx.actor, person, ctx.body, context);
  const { refused, gains } = await checkGains(ctx, [{ person, verdict }]);
  if (refused(person)) throw forbidden();
  // checked by the loaded state, and checked again after the account is locked
  const needs = neededToChange(person, verdict.changed);
  if (needs) await requireCover(ctx.db, ctx.actor, [accountKey(person)], { needs });
  requireProof(ctx, employees.update, verdict.changed);
  const isEmptied = verdict.changed.includes('email') && verdict.values.email === null;
  if (isEmptied && (await usedAccounts(ctx.db, [person.user_id])).size > 0)
    verdict.errors.email = [say('email', addressInUse)];
  requireFit(person, ctx.body, verdict);
  if (getsManager(verdict)) await refuseManagerCycle(ctx.db, person.id, verdict.values.reporting_manager_id as number);
  const pending = await addressToConfirm(ctx, person, verdict);
  const now = pending ? withoutAddress(verdict, person) : verdict;
  await storeUpdates(ctx, [{ person, verdict: now }], { reason: null, gains });
  if (pending) await requestAddressChange(ctx, pending.owner, pending.to);
  const { changed, warnings } = verdict;
  const advice = pending ? [text('employees.address_to_confirm', { address: pending.to })] : [];
  return { changed, warnings: changed.length > 0 ? [...Object.values(warnings).flat(), ...advice] : [] };
}
