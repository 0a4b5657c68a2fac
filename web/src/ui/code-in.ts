/** Typed text with only digits is a code of the app; any other is a recovery code. */
export const codeIn = (typed: string) => (/^[\d\s]*$/.test(typed) ? { code: typed } : { recovery_code: typed });
