import { employeeFieldGroups } from '@tenure/contract';
import { sql } from 'kysely';

type Group = keyof typeof employeeFieldGroups;

/** Fields of an answer that are made of more, or of something else, than their column. */
const made: ReadonlySet<string> = new Set([
  'display_name',
  'entity',
  'department',
  'reporting_manager',
  'profile_picture_url',
  'roles',
  'user',
  'bank',
]);

const stored = (group: Group) => employeeFieldGroups[group].filter((field) => !made.has(field));

/** Fields that are shown as they are stored. */
const storedFields: Readonly<Record<Group, readonly string[]>> = {
  card: stored('card'),
  work: stored('work'),
  private: stored('private'),
};

/** Their columns; `e` is the person. */
export const columnsOf = (...groups: Group[]) =>
  sql.join(groups.flatMap((group) => storedFields[group]).map((field) => sql.ref(`e.${field}`)));

/** The private fields of a person that are shown as they are stored. */
export const storedPrivate = (row: object) =>
  Object.fromEntries(storedFields.private.map((field) => [field, (row as Record<string, unknown>)[field]]));
