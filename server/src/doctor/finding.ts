/** The result of one check. `remedy` says what to do about it. */
export type Finding = { name: string; status: 'ok' | 'warn' | 'fail'; what: string; remedy?: string };

export const ok = (name: string, what: string): Finding => ({ name, status: 'ok', what });
/** The service works, but less well or less safely than it should. */
export const warn = (name: string, what: string, remedy: string): Finding => ({ name, status: 'warn', what, remedy });
/** The service does not start, or does not do its work. */
export const fail = (name: string, what: string, remedy: string): Finding => ({ name, status: 'fail', what, remedy });

const nameWidth = 12;

/** A finding as a line of terminal output. */
export const lineOf = ({ status, name, what, remedy }: Finding): string =>
  `${status.padEnd(4)}  ${name.padEnd(nameWidth)}  ${what}${remedy === undefined ? '' : `  → ${remedy}`}`;

/** 0 when all is well, 1 with warnings, 2 with failures. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ status }) => status === 'fail')) return 2;
  return findings.some(({ status }) => status === 'warn') ? 1 : 0;
}
