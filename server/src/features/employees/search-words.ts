import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

/** True for people in whose names, e-mail or number every word of the search begins a word or a part of one. */
export const matchesSearch = (search: string, alias = 'e'): RawBuilder<SqlBool> => sql<SqlBool>`
  ${sql.ref(`${alias}.search_vector`)} @@ (
    select string_agg('''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || ''':*', ' & ')::tsquery
    from regexp_split_to_table(fold(${search}::text), '\\s+') as word where word <> '')`;
