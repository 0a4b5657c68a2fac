import type { Selectable } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import { loadRequester } from '../../imports/requester.ts';
import { loadRuleContext } from '../../people/rule-context.ts';
import { checkMoves, positionOf } from '../../people/gains.ts';
import type { GainsChecked, Position } from '../../people/gains.ts';
import { cardReach, covers, isSelf } from '../../people/policy.ts';
import type { Writer } from '../../people/row-write.ts';

/** A scheduled change has no rights of its own: on its day, its author's current rights apply. */

type Row = Pick<
  Selectable<DB['job_history']>,
  'created_by' | 'changed_fields' | 'entity_id' | 'department_id' | 'reporting_manager_id'
>;
type Person = Position & { id: number; is_admin: boolean };

/** The actor of a change, and the proof its write requires. */
export type Authority = { by: Writer; gains?: GainsChecked };

const byService: Authority = { by: 'service' };

const isConfirmation = ({ changed_fields }: Row) => changed_fields.includes('employment_lifecycle');

/** The permissions to change a person's job or to decide a probation. */
function mayAct(author: Actor, row: Row, person: Person): boolean {
  if (isSelf(author, person) || (person.is_admin && !author.is_admin)) return false;
  const permission = isConfirmation(row) ? 'probation-review.approve' : 'employees.update';
  return covers(author, reachOf(author, permission), person) && covers(author, cardReach(author), person);
}

/** True when the author can still name the referenced records. Other code checks whether they are valid. */
async function mayName(db: Db, author: Actor, row: Row, person: Person): Promise<boolean> {
  const wanted = <F extends keyof Position>(field: F) => (row.changed_fields.includes(field) ? row[field] : undefined);
  const named = {
    entity_id: wanted('entity_id'),
    department_id: wanted('department_id'),
    reporting_manager_id: wanted('reporting_manager_id'),
  };
  const context = await loadRuleContext({ db, actor: author }, 'employees.update', named, person);
  const known = (ids: ReadonlyMap<number, unknown>, id: number | null | undefined) =>
    id === null || id === undefined || ids.has(id);
  return (
    known(context.entities, named.entity_id) &&
    known(context.departments, named.department_id) &&
    known(context.managers, named.reporting_manager_id)
  );
}

/**
 * The actor of a due change: its author with the current rights. Changes by the service need no author, nor does the
 * confirmation of a decided review while the person is in its company. `after` is the planned position. Returns
 * undefined if the author lost the permission.
 */
export async function authorityFor(db: Db, row: Row, person: Person, after: Position): Promise<Authority | undefined> {
  if (row.created_by === null) return byService;
  if (isConfirmation(row) && row.entity_id === person.entity_id && !person.is_admin) return byService;
  const author = await loadRequester(db, new Map(), row.created_by);
  if (!author || !mayAct(author, row, person) || !(await mayName(db, author, row, person))) return undefined;
  const move = { id: person.id, before: positionOf(person), after: positionOf(after) };
  const { refused, checked } = await checkMoves(db, author, [move]);
  return refused.size > 0 ? undefined : { by: author, gains: checked };
}
