import type { Attachment } from '@tenure/contract';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { covers, fieldsFor, isSelf, workReach } from '../../people/policy.ts';
import type { EmployeeRecord } from '../../people/record.ts';

type Visibility = Attachment['visibility'];

/** What a reader sees of a person's files: by visibility, and whether with identity documents. */
export type Sight = { visibilities: readonly Visibility[]; identity: boolean; mayChange: boolean };

const everything: readonly Visibility[] = ['hr_only', 'manager', 'employee', 'manager_employee'];

/**
 * HR of the person sees every file, managers see those for managers. People see only those for the employee, even if
 * they are HR: colleagues keep their personal file. Identity documents need access to private details.
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
