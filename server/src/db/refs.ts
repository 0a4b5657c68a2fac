import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PersonRef, Ref } from '@tenure/contract';

/** References as the API shows them, built from joined tables; null if the join found no row. */

/** `{id, name}` of the joined table `alias`. */
export const refTo = (alias: string): RawBuilder<Ref | null> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`case when ${column('id')} is not null
    then json_build_object('id', ${column('id')}, 'name', ${column('name')}) end`;
};

/** `{id, employee_number, name}` of the joined person `alias`. */
export const personRefTo = (alias: string): RawBuilder<PersonRef | null> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`case when ${column('id')} is not null
    then json_build_object('id', ${column('id')}, 'employee_number', ${column('employee_number')},
                           'name', ${column('name')}) end`;
};
