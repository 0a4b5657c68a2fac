import { randomInteger } from './crypto.ts';
import { passwordProblems } from './password-rules.ts';
import type { PasswordContext } from './password-rules.ts';

const LENGTH = 20;

// 64 characters that are hard to confuse when read aloud or copied by hand.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789!#%*+=?-';

/**
 * Returns 20 random characters that satisfy the password rules for this person. Redraws until they do and do not begin
 * like a formula; uniform over the rest: 119 of 120 bits.
 */
export function oneTimePassword(context: PasswordContext = {}): string {
  for (;;) {
    const password = Array.from({ length: LENGTH }, () => ALPHABET[randomInteger(ALPHABET.length)]).join('');
    // a spreadsheet would take it for a formula
    if (/^[=+-]/.test(password)) continue;
    if (passwordProblems(password, { min: LENGTH, context }).length === 0) return password;
  }
}
