import { fieldsWithParts, messages, text } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors, Message } from '../../http/errors.ts';
import type { Field, Sent } from '../../people/fields.ts';
import { unseenIn } from '../../people/policy.ts';
import type { FieldGroups } from '../../people/policy.ts';
import type { Account, Person } from './people.ts';

export const notPermitted = text('imports.row_not_permitted');

/** People whom an import cannot change: the importer, and administrators unless an administrator imports. */
export const isProtectedFrom = (actor: Actor, person: Person) =>
  person.id === actor.employee_id || (person.is_admin && !actor.is_admin);

const stateOf = ({ deleted, activity_status }: { deleted: boolean; activity_status: string | null }) =>
  deleted ? 'deleted' : activity_status === 'inactive' || activity_status === 'joining' ? activity_status : 'active';

/** Names the owner of a taken employee number. */
export const numberTaken = (person: Person) => [
  say('employee_number', text(`imports.taken_by_${stateOf({ ...person, deleted: person.deleted_at !== null })}`)),
];

/** Names the owner of a taken address, if the importer may know the person. */
export function emailTaken(account: Account): Message[] {
  if (account.employee_id === null) return [say('email', text('imports.taken_by_account'))];
  if (!account.visible) return [say('email', messages.taken)];
  return [say('email', text(`imports.taken_by_${stateOf(account)}_named`, { number: account.employee_number ?? '' }))];
}

/** The columns that a row sends for a field: for a composite field, those of the sent parts. */
const columnsOf = (field: Field, sent: Sent): string[] => {
  const { columns } = fieldsWithParts.find((one) => one.field === field) ?? {};
  const parts = sent[field] as Record<string, unknown> | null;
  return columns?.filter(({ part }) => !parts || part in parts).map(({ column }) => column) ?? [field];
};

/** The importer cannot write hidden fields, so that errors reveal nothing about them. */
export const unseenFields = (groups: FieldGroups, sent: Sent): FieldErrors =>
  Object.fromEntries(
    unseenIn(groups)
      .filter((field) => sent[field] !== undefined)
      .flatMap((field) => columnsOf(field, sent))
      .map((column) => [column, [say(column, text('validation.not_permitted'))]]),
  );
