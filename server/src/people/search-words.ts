import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { visiblePeople } from '../access/scope.ts';

const queryOf = (search: string) => sql`(
  select string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || ''':*', ' & ')::tsquery
  from regexp_split_to_table(fold(${search}::text), '\\s+') as word where word <> '')`;

/** True for people whose names, job title, email or number contain a word starting with each search word. */
export const matchesSearch = (search: string, alias = 'e'): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${alias}.search_vector`)} @@ ${queryOf(search)}`;

/**
 * True for people on whose card of the directory a word starts with each search word. The words are those of the index
 * `employees_card_words_idx`.
 */
export const matchesCard = (search: string, alias = 'e'): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const words = sql`${column('name')} || ' ' || ${column('email')} || ' ' || coalesce(${column('job_title')}, '')`;
  return sql<SqlBool>`array_to_tsvector(search_words(${words})) @@ ${queryOf(search)}`;
};

const holds = (texts: RawBuilder<unknown>, search: string) =>
  sql<SqlBool>`array_to_tsvector(search_words(concat_ws(' ', ${texts}))) @@ ${queryOf(search)}`;

const shown = sql`e.name, e.employee_number`;
const names = sql`e.first_name, e.middle_name, e.last_name, e.display_name, e.employee_number`;

/**
 * The same for people `e` of whom an actor sees only a reference: data beyond the shown name matches only for readers
 * of the card. The index finds candidates, which are then checked.
 */
export const matchesReference = (actor: Actor, search: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${matchesSearch(search)} and (${visiblePeople(actor)} or ${holds(shown, search)}))`;

/** The same without the email. */
export const matchesName = (actor: Actor, search: string): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${matchesSearch(search)} and (${visiblePeople(actor)} and ${holds(names, search)} or ${holds(shown, search)}))`;
