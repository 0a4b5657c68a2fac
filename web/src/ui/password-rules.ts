const rules = {
  length: (password: string) => Array.from(password).length >= 8,
  case: (password: string) => /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password),
  number: (password: string) => /\p{N}/u.test(password),
  symbol: (password: string) => /[\p{P}\p{S}\p{Z}]/u.test(password),
};

export type PasswordRule = keyof typeof rules;
export const passwordRules = Object.keys(rules) as PasswordRule[];

/** The rules that a new password meets so far. The service decides; it also knows leaked passwords. */
export const metRules = (password: string): Set<PasswordRule> =>
  new Set(passwordRules.filter((rule) => rules[rule](password)));
