import type { AuditVerb } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { changesBetween, record } from '../../../audit.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { conflict, invalid } from '../../../http/errors.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { movePerson } from '../../../people/row-write.ts';
import { decidedEnd } from '../../../people/rules.ts';

/** Changes of the probation end without a review. Callers lock the person's row. */

type NewEnd = { probation_end_date: string | null; reason: string; revision?: number | undefined };

type Correction = Omit<NewEnd, 'probation_end_date'> & { probation_end_date?: string | null | undefined };

/** Refuses a manual change of the end if there is none, or if a review decides or has decided it. */
function requireOpenEnd(person: EmployeeRecord, end: string | null): void {
  const state = { status: person.employment_lifecycle, revision: person.revision };
  if (person.employment_lifecycle !== 'probationary') throw conflict(text('probation.not_on_probation'), state);
  if (person.probation_end_date === null) throw conflict(text('probation.no_end_date'), state);
  if (person.probation_paused_from !== null) throw conflict(text('probation.resume_first'), state);
  if (person.is_under_review) throw conflict(text('probation.open_review_decides'), state);
  if (person.is_confirmed_ahead) throw conflict(text('probation.decided_already'), state);
  const { probation_start_date: start } = person;
  if (end === null) return;
  if (start !== null && end <= start)
    throw invalid('probation_end_date', messages.after({ field: 'probation_start_date' }));
  if (person.decided_ends.includes(end)) throw invalid('probation_end_date', decidedEnd);
}

type Moved = { verb: AuditVerb<'employee'>; set: { extension_count?: number } };

async function moveEnd(ctx: WriteCtx, person: EmployeeRecord, body: NewEnd, { verb, set }: Moved): Promise<void> {
  const { probation_end_date, reason, revision } = body;
  const changed = { probation_end_date, ...set };
  await movePerson(ctx.db, ctx.actor, {
    id: person.id,
    column: 'employment_lifecycle',
    from: ['probationary'],
    to: 'probationary',
    set: changed,
    revision,
    refusal: () => text('probation.not_on_probation'),
  });
  const subject = { subject_id: person.id, subject_label: person.name, entity_id: person.entity_id };
  await record(ctx, { action: `employee.${verb}`, ...subject, changes: changesBetween(person, changed), reason });
}

/**
 * Moves the end to a later day, as one of the extensions that the company allows.
 * @throws 422 in another state, and on `probation_end_date` for a day that is not an extension
 */
export async function extendByHand(
  ctx: WriteCtx,
  person: EmployeeRecord,
  body: NewEnd & { probation_end_date: string },
): Promise<void> {
  const { probation_end_date: end } = body;
  requireOpenEnd(person, end);
  const before = person.probation_end_date ?? '';
  if (end <= before) throw invalid('probation_end_date', messages.after(before));
  if (end <= person.today) throw invalid('probation_end_date', messages.after('today'));
  const { extension_count, maximum_extensions } = person;
  if (extension_count >= maximum_extensions) throw invalid('probation_end_date', text('probation.extension_limit'));
  await moveEnd(ctx, person, body, { verb: 'probation_extended', set: { extension_count: extension_count + 1 } });
}

/**
 * Corrects a mistyped end to an earlier or a later day or none, for two weeks after its entry. Does not count as an
 * extension.
 * @throws 422 in another state or too late, and on `probation_end_date` for the same day
 */
export async function correctEnd(ctx: WriteCtx, person: EmployeeRecord, body: Correction): Promise<void> {
  const { probation_end_date } = body;
  if (probation_end_date === undefined) throw invalid('probation_end_date', messages.required);
  requireOpenEnd(person, probation_end_date);
  const { employment_lifecycle: status, revision } = person;
  if (!person.is_end_fresh) throw conflict(text('probation.correction_too_late'), { status, revision });
  if (probation_end_date === person.probation_end_date) throw invalid('probation_end_date', text('probation.same_end'));
  await moveEnd(ctx, person, { ...body, probation_end_date }, { verb: 'probation_corrected', set: {} });
}
