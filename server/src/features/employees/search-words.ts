import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

const queryOf = (search: string) => sql`(
  select string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || ''':*', ' & ')::tsquery
  from regexp_split_to_table(fold(${search}::text), '\\s+') as word where word <> '')`;

/** True for people in whose names, e-mail or number every word of the search begins a word or a part of one. */
export const matchesSearch = (search: string, alias = 'e'): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${alias}.search_vector`)} @@ ${queryOf(search)}`;

/** The same without the e-mail, for people `e`: the index finds more, and those found are looked at. */
export const matchesName = (search: string): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${matchesSearch(search)} and array_to_tsvector(search_words(concat_ws(
    ' ', e.first_name, e.middle_name, e.last_name, e.display_name, e.employee_number))) @@ ${queryOf(search)})`;
