import type { duplicates, QueryOut, Reply, SimilarPerson } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import { peopleFor, visiblePeople } from '../../../access/scope.ts';
import { refTo } from '../../../db/refs.ts';
import { spellingsOf } from '../../../db/spellings.ts';
import type { ReadCtx } from '../../../http/context.ts';

type Query = QueryOut<typeof duplicates.find>;
type Found = Reply<typeof duplicates.find>['data'];

const maxSimilar = 5;

/**
 * The person of the form, if the caller can change that person: callers must not guess the owner of a number or
 * address.
 */
const formOf = (actor: Actor, id: number | null | undefined) => sql`
  (select own.id from employees own where own.id = ${id ?? null}::bigint
     and ${visiblePeople(actor, 'own')} and ${peopleFor(actor, 'employees.update', 'own')})`;

/** Checks whether another person has the number or the address, as saving the form does. */
async function whatIsTaken({ db, actor }: ReadCtx, { employee_number, email, employee_id }: Query) {
  const other = sql`e.id is distinct from ${formOf(actor, employee_id)}`;
  const { rows } = await sql<Pick<Found, 'employee_number' | 'email'>>`
    select case when ${employee_number ?? null}::text is not null then exists (
             select from employees e where fold(e.employee_number) = fold(${employee_number ?? null}) and ${other})
           end as employee_number,
           case when ${email ?? null}::text is not null then exists (
             select from users u left join employees e on e.user_id = u.id
             where u.email = ${email ?? null} and ${other}) end as email`.execute(db);
  return rows[0] as Pick<Found, 'employee_number' | 'email'>;
}

/**
 * People visible to the actor with the same or a similar name: the same last name and first initial, the same first
 * name and a similar last name, or both swapped. Each case reads a few index ranges.
 */
async function similarPeople(
  { db, actor }: ReadCtx,
  { first_name, last_name, employee_id }: Query,
): Promise<SimilarPerson[]> {
  if (!first_name || !last_name) return [];
  const [first, last] = [spellingsOf(first_name), spellingsOf(last_name)];
  const begun = (names: readonly string[], letters: number) =>
    sql`any(array(select left(n, ${letters}::int) from unnest(${names}::text[]) as n))`;
  const { rows } = await sql<SimilarPerson>`
    with close as (
      select e.id from employees e
      where e.deleted_at is null and e.last_name_sort = any(${last}::text[])
        and left(e.first_name_sort, 1) = ${begun(first, 1)}
      union
      select e.id from employees e
      where e.deleted_at is null and e.first_name_sort = any(${first}::text[])
        and left(e.last_name_sort, 2) = ${begun(last, 2)}
      union
      select e.id from employees e
      where e.deleted_at is null and e.last_name_sort = any(${first}::text[])
        and e.first_name_sort = any(${last}::text[]))
    select e.id, e.employee_number, e.name, e.job_title, ${refTo('n')} as entity, ${refTo('d')} as department,
           e.activity_status, (e.first_name_sort = any(${first}::text[]) and e.last_name_sort = any(${last}::text[])) as is_same_name
    from close
    join employees e on e.id = close.id
    join entities n on n.id = e.entity_id
    join departments d on d.id = e.department_id
    where ${visiblePeople(actor)} and e.id is distinct from ${employee_id ?? null}::bigint
    order by is_same_name desc, e.activity_status = 'inactive', e.last_name_sort, e.first_name_sort, e.id
    limit ${maxSimilar}`.execute(db);
  return rows;
}

/** Possible duplicates of a person. */
export async function findDuplicates(ctx: ReadCtx, query: Query): Promise<Found> {
  return { ...(await whatIsTaken(ctx, query)), similar: await similarPeople(ctx, query) };
}
