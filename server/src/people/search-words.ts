import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { visiblePeople } from '../access/scope.ts';
import { fold } from '../db/fold.ts';
import { every, wordsOf } from '../db/lists.ts';
import { searchedSpellings } from '../db/spellings.ts';
import { isOn } from './on-day.ts';

/**
 * Every word of a search is the start of a word in a person's texts or, from three letters or digits on, is contained
 * in one, with umlauts or without: "Mueller" and "Müller" find each other. Indexes find all of these.
 */

type Condition = RawBuilder<SqlBool>;

const prefixOf = (word: string) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`;
const begins = (vector: RawBuilder<unknown>, word: string) => sql<SqlBool>`${vector} @@ ${prefixOf(word)}::tsquery`;

// shorter words have no trigram, so that every person would be read
const isLong = (word: string) => word.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= 3;
const isInside = (text: RawBuilder<unknown>, word: string) =>
  sql<SqlBool>`${text} like ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`;

/** The words of a search, each in its spellings. */
const spelledWords = (search: string): string[][] =>
  wordsOf(search).flatMap((word) => {
    // folding can split a word, because some letters become a space and an accent
    const parts = wordsOf(fold(word));
    return parts.length === 1 ? [searchedSpellings(word)] : parts.map((part) => [part]);
  });

const anyOf = (conditions: readonly Condition[]) => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;

const eachWord = (search: string, condition: (word: string) => Condition): Condition => {
  const words = spelledWords(search);
  return words.length === 0
    ? sql<SqlBool>`false`
    : every(words.map((spellings) => anyOf(spellings.map((spelling) => condition(spelling)))));
};

type Searched = { vector: RawBuilder<unknown>; inside: (word: string) => Condition };

// `inside` first: when words are computed row by row from text, they cost ten times as much
const matches = ({ vector, inside }: Searched, search: string): Condition =>
  eachWord(search, (word) => anyOf([...(isLong(word) ? [inside(word)] : []), begins(vector, word)]));

const vectorOf = (alias: string) => sql.ref(`${alias}.search_vector`);
const textOf = (alias: string) => sql.ref(`${alias}.search_text`);

/** True for people whose names, job title, email or number contain a word starting with each search word. */
export const matchesBeginnings = (search: string, alias = 'e'): Condition =>
  eachWord(search, (word) => begins(vectorOf(alias), word));

/** The same, or with a search word contained in a word of names, number or email. */
export const matchesSearch = (search: string, alias = 'e'): Condition =>
  matches({ vector: vectorOf(alias), inside: (word) => isInside(textOf(alias), word) }, search);

/** True if a search can also match the inside of words. */
export const searchesInside = (search: string): boolean => spelledWords(search).flat().some(isLong);

const wordsIn = (texts: RawBuilder<unknown>) => sql`array_to_tsvector(search_words(concat_ws(' ', ${texts})))`;
const otherTexts = sql`e.first_name, e.middle_name, e.last_name, e.display_name, e.email, e.employee_number`;

/** The same as of a day: for `e`, `s` and `now` of `peopleOn`, using that day's job title. */
const beginsOnDay = (word: string) => sql<SqlBool>`(case when e.job_title is not distinct from now.job_title
  then ${begins(vectorOf('e'), word)}
  else ${begins(wordsIn(sql`e.job_title`), word)} or ${begins(wordsIn(otherTexts), word)} end)`;

export const matchesBeginningsOnDay = (search: string): Condition => eachWord(search, beginsOnDay);

export const matchesOnDay = (search: string): Condition =>
  eachWord(search, (word) => anyOf([beginsOnDay(word), ...(isLong(word) ? [isInside(textOf('e'), word)] : [])]));

/**
 * People who may match as of a day, as a source of employees that indexes find: by today's words, or by those of a
 * different title on that day. Uses the longest search word, which occurs in the fewest texts.
 */
export function candidatesOn(day: string, search: string): RawBuilder<unknown> {
  const [spellings] = spelledWords(search).toSorted(([one = ''], [other = '']) => other.length - one.length);
  if (spellings === undefined) return sql`employees`;
  const today = anyOf(
    spellings.flatMap((word) => [begins(vectorOf('c'), word), ...(isLong(word) ? [isInside(textOf('c'), word)] : [])]),
  );
  const titles = sql`array_to_tsvector(search_words(t.job_title))`;
  return sql`(
    select c.* from employees c where ${today}
    union all
    select c.* from job_periods t join employees c on c.id = t.employee_id
    where (t.last_day < 'infinity' or t.is_planned) and ${anyOf(spellings.map((word) => begins(titles, word)))} and ${isOn(day, 't')} and not ${today})`;
}

/**
 * True for people whose card in the directory contains each search word. The words are those of the index
 * `employees_card_words_idx`; people matched by the inside of words are checked, because their cards may not show it.
 */
export const matchesCard = (search: string, alias = 'e'): Condition => matches(cardOf(alias), search);

/** Cards that begin with each search word come first. */
export const matchesCardBeginnings = (search: string, alias = 'e'): Condition =>
  eachWord(search, (word) => begins(cardOf(alias).vector, word));

function cardOf(alias: string): Searched {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const email = sql`coalesce(${column('email')}, '')`;
  const words = sql`${column('name')} || ' ' || ${email} || ' ' || coalesce(${column('job_title')}, '')`;
  const shown = sql`fold(${column('name')} || ' ' || split_part(${email}, '@', 1))`;
  return {
    vector: sql`array_to_tsvector(search_words(${words}))`,
    inside: (word) => sql<SqlBool>`(${isInside(textOf(alias), word)} and ${isInside(shown, word)})`,
  };
}

/** `stored`: the folded forms of these texts that are stored, which are the cheapest to search. */
const holds = (texts: RawBuilder<unknown>, search: string, stored: readonly RawBuilder<unknown>[] = []) => {
  const joined = sql`concat_ws(' ', ${texts})`;
  const vector = sql`array_to_tsvector(search_words(${joined}))`;
  const inside = (word: string) => anyOf([...stored, sql`fold(${joined})`].map((text) => isInside(text, word)));
  return matches({ vector, inside }, search);
};

const shown = sql`e.name, e.employee_number`;
const names = sql`e.first_name, e.middle_name, e.last_name, e.display_name, e.employee_number`;
const foldedNames = [sql`e.last_name_sort`, sql`e.first_name_sort`, sql`e.employee_number_sort`];

/**
 * The same for people `e` of whom an actor only sees a reference: data beyond the shown name only matches for readers
 * of the card. The index finds candidates, which are then checked.
 */
export const matchesReference = (actor: Actor, search: string): Condition =>
  sql<SqlBool>`(${matchesSearch(search)} and (${visiblePeople(actor)} or ${holds(shown, search)}))`;

/** The same without the email. */
export const matchesName = (actor: Actor, search: string): Condition => sql<SqlBool>`(
  ${matchesSearch(search)} and (${visiblePeople(actor)} and ${holds(names, search, foldedNames)} or ${holds(shown, search)}))`;
