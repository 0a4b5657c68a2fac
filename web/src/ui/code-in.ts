/** What was typed is a code of the app where it has only its digits, else a recovery code. */
export const codeIn = (typed: string) => (/^[\d\s]*$/.test(typed) ? { code: typed } : { recovery_code: typed });
