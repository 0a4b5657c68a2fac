import { readFileSync } from 'node:fs';

/** The workflow pages of docs/ as data, for tests that compare them with the code. */

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

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const listOf = (cell: string) => cell.split(', ').filter((part) => part !== '' && part !== '–');
const codesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/**
 * Parses a page.
 * @param letter the first letter of its step numbers
 * @param names the page's names for capacities, with those in the code
 */
function workflowPage(file: string, letter: string, names: Readonly<Record<string, string>>) {
  const page = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
  const lines = page.split('\n');
  const named = (name: string) => names[name] ?? `unknown: ${name}`;
  const ruleOf = (line: string): PageRule => {
    const [id = '', action = '', from = '', to = '', who = '', when = '', told = '', waits = ''] = cellsOf(line);
    return {
      id,
      action: codesIn(action)[0] ?? '',
      from: listOf(from),
      to: to === 'previous state' ? 'cancelled_from' : to,
      who: listOf(who).map(named),
      when,
      events: codesIn(told),
      waits: codesIn(waits)[0],
    };
  };
  return {
    /** The rows of the table of steps. */
    rules: lines.filter((line) => new RegExp(`^\\| ${letter}\\d+ `).test(line)).map(ruleOf),
    /** Capacity and permission, from the table of capacities. */
    standings: lines
      .filter((line) => names[cellsOf(line)[0] ?? ''] !== undefined)
      .map((line): [string, string | null] => {
        const [name = '', , permission = ''] = cellsOf(line);
        return [named(name), codesIn(permission)[0] ?? null];
      }),
    /** From, to and action of each arrow in the diagram; `[*]` means that nothing exists. */
    arrows: [...page.matchAll(/^ {4}(\S+) --> (\S+) : (\S+)$/gm)].map(
      ([, from = '', to = '', action = '']): [string, string, string] => [from, to, action],
    ),
  };
}

/** docs/kpi-workflow.md */
export const {
  rules: pageRules,
  standings: pageStandings,
  arrows: pageArrows,
} = workflowPage('kpi-workflow.md', 'E', {
  employee: 'subject',
  reviewer: 'reviewer',
  deputy: 'on_behalf',
  HR: 'hr',
  'HR that reviews': 'hr_reviewer',
  'impartial HR': 'impartial_hr',
  'HR that force-closes': 'force_close',
  'HR that reopens': 'reopen',
  'HR that assigns': 'assign_reviewer',
  'the service': 'system',
});

/** docs/probation-workflow.md */
export const probationPage = workflowPage('probation-workflow.md', 'P', {
  employee: 'subject',
  reviewer: 'reviewer',
  HR: 'hr',
  'impartial HR': 'decider',
  'HR that organises': 'organiser',
  'HR that cancels': 'canceller',
  administrator: 'reverter',
  'the service': 'system',
});
