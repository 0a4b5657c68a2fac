import type { Attachment } from '@tenure/contract';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { covers, fieldsFor, isSelf, workReach } from '../../people/policy.ts';
import type { EmployeeRecord } from '../../people/record.ts';

type Visibility = Attachment['visibility'];

/** The files of a person that a reader sees: by visibility and by the private category. */
export type Sight = { visibilities: readonly Visibility[]; identity: boolean; mayChange: boolean };

const everything: readonly Visibility[] = ['hr_only', 'manager', 'employee', 'manager_employee'];

/**
 * HR of the person sees every file, managers those for managers, the person those for the person, also when the person
 * is HR: the files of the own record are kept by others. Identity documents need access to private details.
 */
export function sightOf(actor: Actor, person: EmployeeRecord): Sight {
  const groups = fieldsFor(actor)(person);
  const isHr = covers(actor, reachOf(actor, 'employees.update'), person);
  const mayChange = isHr && (actor.is_admin || !person.is_admin);
  const identity = groups.private;
  if (isSelf(actor, person)) return { visibilities: ['employee', 'manager_employee'], identity, mayChange: false };
  if (isHr) return { visibilities: everything, identity, mayChange };
  const manages = covers(actor, workReach(actor), person);
  return { visibilities: manages ? ['manager', 'manager_employee'] : [], identity, mayChange };
}
