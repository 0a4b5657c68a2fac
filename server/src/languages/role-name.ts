import { seededRoles } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import type { LanguageId } from './catalogue.ts';
import { render } from './languages.ts';

/** The displayed name of a role: a seeded role in words, any other as it is. No other role may take a seeded name. */
export function roleName(name: string): Text | string {
  const seeded = seededRoles.find((one) => one === name);
  return seeded ? { key: `roles.names.${seeded}` } : name;
}

/** The same in a language. */
export function roleNameIn(language: LanguageId, name: string): string {
  const shown = roleName(name);
  return typeof shown === 'string' ? shown : render(language, shown);
}

/** The names of the seeded roles in a language, by their stored names. */
export const seededNamesIn = (language: LanguageId): Record<string, string> =>
  Object.fromEntries(seededRoles.map((name) => [name, roleNameIn(language, name)]));
