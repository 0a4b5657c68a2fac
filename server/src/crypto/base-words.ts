/** Words that are weak as a password however they are decorated; lower case, many shorter than the blocklist's entries. */
export const BASE_WORDS: readonly string[] = `
  password passwort passcode passphrase secret login letmein access changeme default
  admin administrator root superuser user guest test testing demo temp temporary
  qwerty qwertz azerty asdf asdfgh zxcvbn qwer abcd abcdef
  welcome hello iloveyou monkey dragon master football sunshine princess
  company office employee payroll tenure
  spring summer autumn fall winter
  january february march april may june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday
`
  .trim()
  .split(/\s+/);
