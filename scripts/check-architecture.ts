import { dirname, join, normalize } from 'node:path';
import { allSources, isGenerated, isTest } from './sources.ts';
import type { Source } from './sources.ts';

/** The rules of docs/architecture.md that a compiler does not know. */

type Rule = (source: Source) => string[];

const maxLines = { source: 300, test: 500 };

/** Features another feature may look into, through its policy, queries and rules only. */
const featureDirections: Record<string, readonly string[]> = {
  access: ['employees'],
  'account-links': ['employees'],
  'actionable-items': ['employees', 'kpi-evaluations', 'probation-reviews'],
  attachments: ['employees'],
  'audit-log': ['kpi-evaluations', 'probation-reviews'],
  dashboard: ['actionable-items', 'employees', 'kpi-cycles', 'kpi-evaluations', 'notifications'],
  departments: ['employees', 'entities', 'job-history', 'probation-reviews'],
  'employee-imports': ['employees', 'departments', 'job-history', 'probation-reviews'],
  employees: ['departments', 'job-history', 'kpi-cycles', 'kpi-evaluations', 'probation-reviews'],
  entities: [],
  'job-history': ['employees', 'probation-reviews'],
  'kpi-cycles': ['kpi-evaluations'],
  'kpi-evaluations': ['employees'],
  letters: ['probation-reviews'],
  'org-chart': ['employees', 'departments'],
  'probation-reviews': ['employees', 'job-history', 'kpi-evaluations'],
  profile: ['employees', 'sessions'],
  roles: [],
  'saved-views': [],
  search: ['employees', 'departments', 'kpi-cycles', 'kpi-templates'],
  sessions: [],
  'template-imports': ['kpi-templates'],
};
const openModules =
  /\/(policy|queries|rules|superiors-rules|(?:manager-)?gains|record|conditions|summary|[a-z-]*(facts|fields|changes|passwords|roles|responsibilities|pictures|numbers|password-change|login|apply|search-words|export-columns|write|settle|hand-over)|reviewers|hr-pool|reminders|scope|visibility|machine|standing|scores\/[a-z-]+)\.ts$/;

const importsOf = ({ text }: Source) =>
  [...text.matchAll(/^(?:import|export)\b[^;'"]*?(?:from )?'([^']+)';|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );

const resolved = (path: string, specifier: string) =>
  specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;

const featureOf = (path: string) => /^server\/src\/features\/([^/]+)\//.exec(path)?.[1];

const sizes: Rule = ({ path, text }) => {
  if (isGenerated(path)) return [];
  const lines = text.split('\n').length - 1;
  const limit = isTest(path) ? maxLines.test : maxLines.source;
  return lines > limit ? [`${path}: ${lines} lines, at most ${limit}`] : [];
};

const environment: Rule = ({ path, text }) =>
  path.startsWith('server/src/') && path !== 'server/src/config.ts' && /process\.env\b/.test(text) && !isTest(path)
    ? [`${path}: only config.ts reads process.env`]
    : [];

const handles: Rule = ({ path, text }) =>
  path.startsWith('server/src/') &&
  !isTest(path) &&
  /^(export )?(const|let|var) \w+( *:[^=]+)? *= *(await )?(connect\(|new (pg\.)?(Pool|Client)\(|new Kysely)/m.test(text)
    ? [`${path}: no database handle at module level`]
    : [];

const secrets: Rule = (source) =>
  source.path.startsWith('server/src/') && !source.path.startsWith('server/src/crypto/') && !isTest(source.path)
    ? importsOf(source)
        .filter((name) => name === 'node:crypto' || name === 'crypto' || name === 'bcrypt')
        .map((name) => `${source.path}: imports ${name}; only crypto/ does`)
    : [];

function forbidden(path: string, specifier: string): string | undefined {
  const target = resolved(path, specifier);
  if (path.startsWith('contract/') && !isTest(path) && !specifier.startsWith('./') && specifier !== 'zod')
    return 'the contract imports zod only';
  if (path.startsWith('web/src/') && (target.startsWith('server/') || specifier.startsWith('@tenure/server')))
    return 'the browser application knows the contract, not the server';
  if (
    /^server\/src\/(app|main|service)\.ts$/.test(target) &&
    !isTest(path) &&
    !/^server\/src\/(main|service)\.ts$/.test(path) &&
    path.startsWith('server/')
  )
    return 'nobody imports app, service or main';
  const [from, to] = [featureOf(path), featureOf(target)];
  if (path.startsWith('server/src/http/') && to) return 'http knows nothing of HR';
  if (!from || !to || from === to || isTest(path)) return undefined;
  if (!(featureDirections[from] ?? []).includes(to)) return `feature ${from} may not look into ${to}`;
  return openModules.test(target) ? undefined : `feature ${from} may use ${to} through policy, queries or rules only`;
}

const directions: Rule = (source) =>
  importsOf(source).flatMap((specifier) => {
    const reason = forbidden(source.path, specifier);
    return reason ? [`${source.path}: imports ${specifier}: ${reason}`] : [];
  });

const peopleWriters = 'server/src/people/row-write.ts';
const writesPeople =
  /\b(update|insert\s+into|delete\s+from|merge\s+into|truncate)\s+(only\s+)?employees\b|(updateTable|insertInto|deleteFrom|mergeInto)\(\s*\[?\s*'employees\b|\btable: 'employees'/i;
// the address of a person follows that of the account by foreign key
const writesAddresses = /\bupdate\s+users\b[^`]*?\bemail\s*=|updateTable\(\s*'users'[^;]*?\bemail\b/i;

const departmentWriters = 'server/src/features/departments/row-write.ts';
const writesDepartments =
  /\b(update|insert\s+into|merge\s+into)\s+(only\s+)?departments\b|(updateTable|insertInto|mergeInto)\(\s*\[?\s*'departments\b/i;

const judged: Rule = ({ path, text }) =>
  path.startsWith('server/src/') && !isTest(path) && path !== departmentWriters && writesDepartments.test(text)
    ? [`${path}: writes departments; only ${departmentWriters} does, which asks what others gain`]
    : [];

const guarded: Rule = ({ path, text }) =>
  path.startsWith('server/src/') &&
  !isTest(path) &&
  path !== peopleWriters &&
  (writesPeople.test(text) || writesAddresses.test(text))
    ? [`${path}: writes employees or their addresses; only ${peopleWriters} does, which guards the rows`]
    : [];

/** A hand meets what lies at a point of the screen; an element that is focused or sent an event need not be there. */
const pointed: Rule = ({ path, text }) =>
  path.endsWith('.e2e.ts') && !/\b(clickAt|tapAt)\(/.test(text)
    ? [`${path}: uses no pointer; clickAt or tapAt of e2e/pointer.ts presses where the element is`]
    : [];

const rules: Rule[] = [sizes, environment, handles, secrets, directions, guarded, judged, pointed];

/** Every breach of a rule in these sources, one line each. */
export const breaches = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) => rules.flatMap((rule) => rule(source)));

if (import.meta.main) {
  const found = breaches(allSources());
  for (const line of found) console.error(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
