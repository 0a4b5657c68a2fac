import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { visiblePeople } from '../access/scope.ts';

const queryOf = (search: string) => sql`(
  select string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || ''':*', ' & ')::tsquery
  from regexp_split_to_table(fold(${search}::text), '\\s+') as word where word <> '')`;

/** True for people in whose names, e-mail or number every word of the search begins a word or a part of one. */
export const matchesSearch = (search: string, alias = 'e'): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${alias}.search_vector`)} @@ ${queryOf(search)}`;

const holds = (texts: RawBuilder<unknown>, search: string) =>
  sql<SqlBool>`array_to_tsvector(search_words(concat_ws(' ', ${texts}))) @@ ${queryOf(search)}`;

const shown = sql`e.name, e.employee_number`;
const names = sql`e.first_name, e.middle_name, e.last_name, e.display_name, e.employee_number`;

/**
 * The same for people `e` of whom an actor may see no more than a reference: what stands behind the name it shows finds
 * them only for readers of the card. The index finds more, and those found are looked at.
 */
export const matchesReference = (actor: Actor, search: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${matchesSearch(search)} and (${visiblePeople(actor)} or ${holds(shown, search)}))`;

/** The same without the e-mail. */
export const matchesName = (actor: Actor, search: string): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${matchesSearch(search)} and (${visiblePeople(actor)} and ${holds(names, search)} or ${holds(shown, search)}))`;
