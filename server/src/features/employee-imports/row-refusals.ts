import type { Actor } from '../../access/actor.ts';
import { attributeName } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import type { Sent } from '../../people/fields.ts';
import { unseenIn } from '../../people/policy.ts';
import type { FieldGroups } from '../../people/policy.ts';
import type { Account, Person } from './people.ts';

export const notPermitted = 'This row is not permitted.';

/** Somebody whose record the importer may not change by a file: the importer, and administrators unless one imports. */
export const isOutOfHand = (actor: Actor, person: Person) =>
  person.id === actor.employee_id || (person.is_admin && !actor.is_admin);

const stateOf = ({ deleted, activity_status }: { deleted: boolean; activity_status: string | null }) =>
  deleted
    ? 'a deleted'
    : activity_status === 'inactive'
      ? 'an inactive'
      : activity_status === 'joining'
        ? 'a joining'
        : 'an active';

const taken = (field: string, by: string) => [`The ${attributeName(field)} has already been taken${by}.`];

/** Says who has the employee number already. */
export const numberTaken = (person: Person) =>
  taken('employee_number', ` by ${stateOf({ ...person, deleted: person.deleted_at !== null })} employee`);

/** Says who signs in with the address already, as far as the importer may know. */
export function emailTaken(account: Account): string[] {
  if (account.employee_id === null) return taken('email', ' by an account without an employee');
  if (!account.visible) return taken('email', '');
  return taken('email', ` by ${stateOf(account)} employee (${account.employee_number})`);
}

/** Fields the importer may not see and therefore not write: guessing at them must tell nothing. */
export const unseenFields = (groups: FieldGroups, sent: Sent): FieldErrors =>
  Object.fromEntries(
    unseenIn(groups)
      .filter((field) => sent[field] !== undefined)
      .map((field) => [field, [`The ${attributeName(field)} field is not permitted.`]]),
  );
