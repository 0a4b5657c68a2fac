import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { hrOfEach } from '../../notifications/hr-pool.ts';

/** The authors of the review `v`: its reviewer, and the user whose signature on the submitted review is valid. */
export const authorsOf: readonly RawBuilder<unknown>[] = [
  sql`v.reviewer_id`,
  sql`(select h.id from probation_signatures s join employees h on h.user_id = s.signer_id
       where s.review_id = v.id and s.role = 'manager' and s.valid)`,
];

/** Reviews `v` that the reader did not write: `authorsOf` for a single reader, whose signatures are collected once. */
export const notWrittenBy = ({
  user_id,
  employee_id,
}: Pick<Actor, 'user_id' | 'employee_id'>): RawBuilder<SqlBool>[] => [
  ...(employee_id === null ? [] : [sql<SqlBool>`v.reviewer_id is distinct from ${employee_id}`]),
  sql`v.id <> all(array(
    select s.review_id from probation_signatures s where s.signer_id = ${user_id} and s.role = 'manager' and s.valid))`,
];

/** Only administrators change the record of an administrator, and so decide on it. */
export const isOfAdmin = (employee: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`${employee} = any(array(
  select m.id from users u join employees m on m.user_id = u.id where u.is_admin))`;

/**
 * The users who decide on each of many reviews, as SQL with the columns subject_id and user_id.
 * @param subjects SQL with the columns of `hrOfEach`, and id and reviewer_id of the review
 */
export const decidersOf = (subjects: RawBuilder<unknown>): RawBuilder<unknown> =>
  hrOfEach('probation-review.approve', subjects, { authors: authorsOf, ofAdminsByAdmins: true });
