import type { Text } from '@tenure/contract';
import { text } from '@tenure/contract';
import { createRequire } from 'node:module';
import { BASE_WORDS } from './base-words.ts';

const PRODUCT_NAME = 'Tenure';
const MIN_CONTEXT_WORD = 4;
const LEET: Readonly<Record<string, string>> = { '@': 'a', '0': 'o', '1': 'i', '3': 'e', $: 's' };

/** Words a password must not contain. */
export interface PasswordContext {
  name?: string | null | undefined;
  email?: string | null | undefined;
  employee_number?: string | null | undefined;
  entity_name?: string | null | undefined;
}

export interface PasswordRules {
  /** Least number of code points. */
  min: number;
  context: PasswordContext;
}

/**
 * Why this text is refused as a password: messages about the field, in the order length, case, number, symbol,
 * blocklist, context words. Empty if it is accepted.
 */
export function passwordProblems(password: string, { min, context }: PasswordRules): Text[] {
  return [...compositionProblems(password, min), ...guessabilityProblems(password, context)];
}

/** The rules that do not depend on settings or context: length and kinds of characters. */
export function compositionProblems(password: string, min: number): Text[] {
  const problems: Text[] = [];
  if (codePoints(password) < min) problems.push(text('validation.least_characters', { least: min }));
  if (!/\p{Lu}/u.test(password) || !/\p{Ll}/u.test(password)) {
    problems.push(text('account.password_needs_cases'));
  }
  if (!/\p{N}/u.test(password)) problems.push(text('account.password_needs_number'));
  if (!/[\p{P}\p{S}\p{Z}]/u.test(password)) problems.push(text('account.password_needs_symbol'));
  return problems;
}

/** Problems of easily guessed passwords: well-known ones and those with a context word. */
export function guessabilityProblems(password: string, context: PasswordContext): Text[] {
  const folded = fold(password);
  const problems: Text[] = [];
  if (isWellKnown(folded)) {
    problems.push(text('account.password_leaked'));
  }
  if (contextWords(context).some((word) => folded.includes(word))) {
    problems.push(text('account.password_personal'));
  }
  return problems;
}

function isWellKnown(folded: string): boolean {
  const known = wellKnownPasswords();
  return known.has(folded) || cores(folded).some((core) => known.has(core) || known.has(undoLeet(core)));
}

// The 634 kB list is loaded only when a password is set.
let wellKnown: ReadonlySet<string> | undefined;
function wellKnownPasswords(): ReadonlySet<string> {
  if (!wellKnown) {
    const popular = createRequire(import.meta.url)('popular-passwords') as string[];
    wellKnown = new Set([...popular, ...BASE_WORDS]);
  }
  return wellKnown;
}

// From the first letter to the last; with and without a neighbouring character that may replace a letter (`$ummer`,
// `hell0`).
function cores(folded: string): string[] {
  const [, before = '', core = '', after = ''] = /([@013$]?)(\p{L}(?:.*\p{L})?)([@013$]?)/su.exec(folded) ?? [];
  return core === '' ? [] : [core, before + core, core + after, before + core + after];
}

function undoLeet(text: string): string {
  return text.replace(/[@013$]/g, (character) => LEET[character] ?? character);
}

function contextWords({ name, email, employee_number, entity_name }: PasswordContext): string[] {
  const localPart = email?.split('@')[0];
  return [name, localPart, employee_number, entity_name, PRODUCT_NAME]
    .map((text) => fold(text?.trim() ?? ''))
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{M}\p{N}]+/u)])
    .filter((word) => codePoints(word) >= MIN_CONTEXT_WORD);
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
