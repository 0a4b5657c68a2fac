import { readFileSync } from 'node:fs';

/** docs/kpi-workflow.md as data, for the tests that hold it against the program. */

const page = readFileSync(new URL('../../../docs/kpi-workflow.md', import.meta.url), 'utf8');

export type PageRule = {
  id: string;
  action: string;
  from: string[];
  to: string;
  who: string[];
  when: string;
  events: string[];
  waits: string | undefined;
};

/** Names of the page, as the program has them. */
export const standingNames: Readonly<Record<string, string>> = {
  employee: 'subject',
  reviewer: 'reviewer',
  deputy: 'on_behalf',
  HR: 'hr',
  'impartial HR': 'impartial_hr',
  'HR with force': 'force_close',
  'HR that reopens': 'reopen',
  'HR that assigns': 'assign_reviewer',
  'the service': 'system',
};

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const listOf = (cell: string) => cell.split(', ').filter((part) => part !== '' && part !== '–');
const codesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const named = (name: string) => standingNames[name] ?? `unknown: ${name}`;

/** The lines of the table of steps. */
export const pageRules: PageRule[] = page
  .split('\n')
  .filter((line) => /^\| E\d+ /.test(line))
  .map((line) => {
    const [id = '', action = '', from = '', to = '', who = '', when = '', told = '', waits = ''] = cellsOf(line);
    return {
      id,
      action: codesIn(action)[0] ?? '',
      from: listOf(from),
      to: to === 'where it was' ? 'cancelled_from' : to,
      who: listOf(who).map(named),
      when,
      events: codesIn(told),
      waits: codesIn(waits)[0],
    };
  });

/** Standing and permission, from the table of who is who. */
export const pageStandings: [string, string | null][] = page
  .split('\n')
  .filter((line) => standingNames[cellsOf(line)[0] ?? ''] !== undefined)
  .map((line) => {
    const [name = '', , permission = ''] = cellsOf(line);
    return [named(name), codesIn(permission)[0] ?? null];
  });

/** From, to and action of each arrow of the diagram; `[*]` is where there is nothing yet. */
export const pageArrows: [string, string, string][] = [...page.matchAll(/^ {4}(\S+) --> (\S+) : (\S+)$/gm)].map(
  ([, from = '', to = '', action = '']) => [from, to, action],
);
