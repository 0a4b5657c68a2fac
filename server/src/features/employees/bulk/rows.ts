import { text } from '@tenure/contract';
import type { BulkState, employeeBulk, ReplyIn } from '@tenure/contract';
import { fromDatabase, HttpError } from '../../../http/errors.ts';
import type { FieldErrors, Message } from '../../../http/errors.ts';
import type { BulkBody } from './input.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

/** A row of the response before its messages are rendered. */
export type Row = ReplyIn<typeof employeeBulk.change>['data']['rows'][number];

/** The outcome for one person; the caller adds the state afterwards. */
export type Outcome = { changes: boolean; warnings?: Message[] } | { errors: FieldErrors };
export type Outcomes = Map<number, Outcome>;

/** The refusal of a single change as errors of a row; rethrows other errors. */
export function refusalOf(raw: unknown): { errors: FieldErrors } {
  const error = fromDatabase(raw);
  if (!(error instanceof HttpError) || ![403, 404, 422].includes(error.status)) throw error;
  // the text of the status 403 is for programs; here it is one of several reasons that a person reads
  const message = error.status === 403 && !error.body.explained ? text('general.not_permitted') : error.body.message;
  return { errors: error.body.errors ?? { id: [message] } };
}

/** Records the outcome of the work for a person, or its refusal. */
export function attempt(outcomes: Outcomes, person: EmployeeRecord, work: () => Outcome): void {
  try {
    outcomes.set(person.id, work());
  } catch (error) {
    outcomes.set(person.id, refusalOf(error));
  }
}

const managerOf = (person: EmployeeRecord): BulkState => ({
  reporting_manager:
    person.reporting_manager_id === null
      ? null
      : {
          id: person.reporting_manager_id,
          employee_number: person.manager_number as string,
          name: person.manager_name as string,
        },
});

/** Adds warnings to the outcomes of people who change. */
export const withWarnings = (outcomes: Outcomes, warnings: ReadonlyMap<number, readonly Message[]>): Outcomes =>
  new Map(
    [...outcomes].map(([id, outcome]) => {
      const more = warnings.get(id);
      if (!more || 'errors' in outcome || !outcome.changes) return [id, outcome];
      return [id, { ...outcome, warnings: [...(outcome.warnings ?? []), ...more] }];
    }),
  );

/** The fields of a person affected by a kind of change. */
export function stateOf(kind: BulkBody['kind'], person: EmployeeRecord, withManager: boolean): BulkState {
  if (kind === 'move')
    return {
      entity: { id: person.entity_id, name: person.entity_name },
      department: { id: person.department_id, name: person.department_name },
      ...(withManager && managerOf(person)),
    };
  if (kind === 'manager') return managerOf(person);
  return { activity_status: person.activity_status as BulkState['activity_status'] };
}

const unknown = (id: number): Row => ({
  id,
  label: null,
  employee_number: null,
  revision: null,
  outcome: 'refused',
  before: null,
  after: null,
  errors: { id: [text('general.not_found')] },
  warnings: [],
});

type Found = {
  kind: BulkBody['kind'];
  /** The move changes the manager too. */
  withManager: boolean;
  person: EmployeeRecord | undefined;
  outcome: Outcome | undefined;
  revision: number | null;
  after: (person: EmployeeRecord) => BulkState;
};

/** One row of the response. */
export function rowOf(id: number, { kind, withManager, person, outcome, revision, after }: Found): Row {
  if (!person || !outcome) return unknown(id);
  const before = stateOf(kind, person, withManager);
  const row = { id, label: person.name, employee_number: person.employee_number, revision, before };
  if ('errors' in outcome) return { ...row, outcome: 'refused', after: null, errors: outcome.errors, warnings: [] };
  const { changes, warnings = [] } = outcome;
  return {
    ...row,
    outcome: changes ? 'changed' : 'unchanged',
    after: changes ? after(person) : before,
    errors: {},
    warnings,
  };
}
