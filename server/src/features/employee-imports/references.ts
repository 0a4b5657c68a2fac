import { messages, text as messageOf } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { quoted } from '../../quoted.ts';
import { fold } from '../../db/fold.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import type { Sent } from '../../people/fields.ts';
import type { Meaning } from '../../imports/cells.ts';
import type { Meanings } from './cells.ts';
import { departmentKey } from './file-keys.ts';
import { findManagerOf } from './managers.ts';
import type { Person } from './people.ts';
import type { ImportContext } from './import-context.ts';

type Row = { row: number; meanings: Meanings; person: Person | undefined };
type References = Pick<Sent, 'entity_id' | 'department_id' | 'reporting_manager_id'>;
type Found = { refs: References; errors: FieldErrors; warnings: FieldErrors };

/** Longer texts are cut in messages. */

/** The suggestion for a text that names nothing. */
const unknown = {
  company: (text: string, like: string | undefined): Text =>
    like === undefined
      ? messageOf('imports.no_company', { name: quoted(text) })
      : messageOf('imports.no_company_like', { name: quoted(text), like }),
  department: (text: string, like: string | undefined): Text =>
    like === undefined
      ? messageOf('imports.no_department', { name: quoted(text) })
      : messageOf('imports.no_department_like', { name: quoted(text), like }),
};
const purposeOf = (person: Person | undefined) => (person ? 'update' : 'create');

/** Combines two columns of one reference: absent, empty, an id, or an unknown text; undefined if they differ. */
function agree(
  texts: readonly Meaning[],
  find: (text: string) => number | undefined,
): { isGiven: boolean; id?: number | null; text?: string } {
  const given = texts.filter((text) => text !== undefined);
  if (given.length === 0) return { isGiven: false };
  const ids = new Set(given.map((text) => (text === null ? null : find(text))));
  const [id] = ids;
  if (ids.size > 1) return { isGiven: true };
  return id === undefined ? { isGiven: true, text: given[0] ?? '' } : { isGiven: true, id };
}

function findEntity({ organisation }: ImportContext, { meanings, person }: Row, { refs, errors }: Found) {
  const { isGiven, id, text } = agree([meanings.entity_id, meanings.entity], (text) => {
    const same = person && (text === String(person.entity_id) || fold(text) === fold(person.entity_name));
    return same ? person.entity_id : organisation.findEntity(purposeOf(person), text);
  });
  if (!isGiven) return;
  const like = text === undefined ? undefined : organisation.likeEntity(purposeOf(person), text);
  const message = text === undefined ? messages.unavailable : unknown.company(text, like);
  if (id === undefined) errors.entity_id = [say('entity_id', message)];
  else refs.entity_id = id;
}

/** A new department name, if the import can create it. */
function newDepartment(
  context: ImportContext,
  { row, meanings }: Row,
  entityId: number,
  { warnings }: Found,
  wanted: string,
) {
  const made = /^[0-9]+$/.test(wanted) ? undefined : context.organisation.makeDepartment(entityId, wanted);
  const key = departmentKey(
    meanings.entity_id ?? meanings.entity ?? '',
    meanings.department_id ?? meanings.department ?? '',
  );
  if (made && context.keys.departments.get(key) === row)
    warnings.department_id = [messageOf('imports.department_will_be_created', { name: made.name })];
  return made?.id;
}

function findDepartment(context: ImportContext, { raw, ...row }: Row & { raw: Meanings }, found: Found) {
  const { refs, errors } = found;
  const { meanings, person } = row;
  const entityId = refs.entity_id ?? person?.entity_id;
  const { isGiven, id, text } = agree([meanings.department_id, meanings.department], (text) => {
    if (!entityId) return undefined;
    const stays = person?.entity_id === entityId;
    if (stays && (text === String(person.department_id) || fold(text) === fold(person.department_name)))
      return person.department_id;
    return (
      context.organisation.findDepartment(purposeOf(person), entityId, text) ??
      newDepartment(context, { ...row, meanings: raw }, entityId, found, text)
    );
  });
  // without a company, a department is ambiguous
  if (!isGiven || errors.entity_id || entityId === undefined) return;
  const like = text === undefined ? undefined : context.organisation.likeDepartment(purposeOf(person), entityId, text);
  const message = text === undefined ? messages.unavailable : unknown.department(text, like);
  if (id === undefined) errors.department_id = [say('department_id', message)];
  else refs.department_id = id;
}

function findManager(context: ImportContext, { meanings, person }: Row, { refs, errors }: Found) {
  const text = meanings.reporting_manager;
  if (text === undefined) return;
  if (text === null) {
    refs.reporting_manager_id = null;
    return;
  }
  const found = findManagerOf(context, text, { person, entityId: refs.entity_id ?? person?.entity_id });
  if ('error' in found) {
    errors.reporting_manager_id = [say('reporting_manager_id', found.error)];
    return;
  }
  const { id } = found;
  // only after reading all rows is it known which rows become employees
  if (id !== null && id < 0) context.ruleManagers.set(id, { id, is_employed: true });
  refs.reporting_manager_id = id;
}

/** Looks up the company, department and manager of a row. `raw` are its cells without defaults. */
export function findReferences(context: ImportContext, row: Row & { raw: Meanings }): Found {
  const found: Found = { refs: {}, errors: {}, warnings: {} };
  findEntity(context, row, found);
  findDepartment(context, row, found);
  findManager(context, row, found);
  return found;
}
