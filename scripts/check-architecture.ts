import { dirname, join, normalize } from 'node:path';
import { allDocuments, allSources, isGenerated, isTest } from './sources.ts';
import type { Source } from './sources.ts';
import { tableStars } from './table-stars.ts';

/** The rules in docs/architecture.md that a compiler cannot check. */

type Rule = (source: Source) => string[];

const maxLines = { source: 300, test: 500 };

/** Modules of a feature that others may import, with these importers. All other modules of a feature are private. */
const opened: Readonly<Record<string, readonly string[]>> = {
  'actionable-items/company-counts': ['chat-targets'],
  'actionable-items/queries': ['calendar-feeds', 'dashboard'],
  'attachments/policy': ['attachment-imports'],
  'departments/row-write': ['employee-imports'],
  'events/visible': ['webhooks'],
  'former-results/bands': ['former-result-imports'],
  'former-results/result': ['former-result-imports'],
  'job-history/past-rows': ['history-imports'],
  'identity-providers/queries': ['role-rules'],
  'employees/record/create': ['identity-providers', 'scim-connections'],
  'employees/record/look-ups': ['identity-providers', 'scim-connections'],
  'scim-connections/queries': ['role-rules'],
  'kpi-cycles/move-scope': ['actionable-items'],
  'kpi-cycles/newly-eligible': ['actionable-items'],
  'kpi-cycles/policy': ['dashboard', 'search'],
  'kpi-cycles/queries': ['dashboard'],
  'kpi-cycles/summary': ['dashboard'],
  'kpi-evaluations/hr-pool': ['actionable-items'],
  'kpi-evaluations/transitions': ['actionable-items'],
  'kpi-evaluations/reminders': ['kpi-cycles'],
  'kpi-evaluations/bulk-transitions': ['kpi-cycles', 'probation-reviews'],
  'kpi-evaluations/capacities': ['actionable-items'],
  'kpi-evaluations/export-rows': ['kpi-cycles'],
  'kpi-evaluations/parts': ['dashboard', 'kpi-cycles'],
  'kpi-evaluations/split': ['kpi-cycles'],
  'kpi-evaluations/visibility': ['audit-log'],
  'kpi-templates/items': ['template-imports'],
  'kpi-templates/policy': ['kpi-cycles', 'search', 'template-imports'],
  'kpi-templates/queries': ['kpi-cycles', 'template-imports'],
  'kpi-templates/rules': ['template-imports'],
  'kpi-templates/scale-words': ['template-imports'],
  'kpi-templates/write': ['template-imports'],
  'notifications/queries': ['dashboard'],
  'probation-reviews/hr-pool': ['actionable-items'],
  'probation-reviews/letter-content': ['letters'],
  'probation-reviews/transitions': ['actionable-items'],
  'probation-reviews/upcoming': ['calendar-feeds', 'chat-targets'],
  'probation-reviews/transfers': ['departments', 'employee-imports', 'job-history'],
  'probation-reviews/queries': ['letters'],
  'probation-reviews/record': ['letters'],
  'probation-reviews/capacities': ['actionable-items'],
};

/** The same in the browser; `search.ts`, with a feature's URL parameters, is open to all modules that link there. */
const openedInWeb: Readonly<Record<string, readonly string[]>> = {
  'companies/CompanyDialogs.tsx': ['departments', 'imports'],
  'companies/CompanyLine.tsx': ['departments'],
  'directory/OwnBranch.tsx': ['org-chart'],
  'employees/EmployeeStatusBadge.tsx': ['home'],
  'employees/form/RoleDepartments.tsx': ['identity-providers', 'tokens'],
  'employees/passwords/PasswordsDialog.tsx': ['imports'],
  'employees/record/Overview.tsx': ['profile'],
  'employees/record/PictureDialog.tsx': ['profile'],
  'employees/reviews/ReviewsTab.tsx': ['profile'],
  'employees/summary/WithSummary.tsx': ['profile'],
  'kpi-evaluations/bulk/BulkBar.tsx': ['kpi-cycles'],
  'kpi-evaluations/bulk/use-selected.ts': ['kpi-cycles'],
  'guide/FirstHour.tsx': ['home'],
  'kpi-templates/builder.module.css': ['probation-reviews'],
  'notifications/settings/ChannelSwitch.tsx': ['profile'],
  'probation-reviews/ProbationStatus.tsx': ['employees'],
  'probation-reviews/profile/ProbationPart.tsx': ['employees'],
  'identity-providers/RoleRules.tsx': ['provisioning'],
  'provisioning/ProvisionedPeople.tsx': ['identity-providers'],
  'tokens/KeptTokens.tsx': ['profile'],
  'tokens/OwnTokens.tsx': ['profile'],
};

/** The layers of the server from the top: what knows everything, the features, the people, the shared folders. */
const layers = [
  /^server\/src\/(app|main|prepare|service|run-service|announce|(invariants|resilience|supervisor)\/.+|jobs\/(schedule|imports|worker))\.ts$/,
  /^server\/src\/features\//,
  /^server\/src\/people\//,
  /^server\/src\//,
];

const importsOf = ({ text }: Source) =>
  [...text.matchAll(/^(?:import |(?:import|export)\b[^;'"]*? from )'([^']+)';|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );

const resolved = (path: string, specifier: string) =>
  specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;

const layerOf = (path: string) => layers.findIndex((layer) => layer.test(path));
const webModule = /^web\/src\/features\/(?<module>(?<feature>[^/]+)\/.+)$/;
const featureModule = /^server\/src\/features\/(?<module>(?<feature>[^/]+)\/.+)\.ts$/;

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

const processors = 'server/src/usable-processors.ts';

const quotas: Rule = ({ path, text }) =>
  path.startsWith('server/src/') && path !== processors && /\b(availableParallelism|cpus)\(/.test(text) && !isTest(path)
    ? [`${path}: counts the processors of the machine; ${processors} counts those this process may use`]
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

/** Code that several browser features share is in a layer below them, and `ui` is below everything. */
function forbiddenInWeb(path: string, target: string): string | undefined {
  const [from, to] = [webModule.exec(path)?.groups, webModule.exec(target)?.groups];
  if (path.startsWith('web/src/ui/') && /^web\/src\/(?!ui\/|api\/|locales\/|paths\.ts)/.test(target))
    return 'ui imports api, locales and paths, nothing that stands above it';
  const isShared = /^web\/src\/(ui|api|workflow|figures)\//.test(path);
  if (!to || !(from ?? isShared) || from?.['feature'] === to['feature'] || target.endsWith('/search.ts'))
    return undefined;
  return from && openedInWeb[to['module'] ?? '']?.includes(from['feature'] ?? '')
    ? undefined
    : `${to['module']} is not opened to ${from?.['feature'] ?? 'what stands below features'}; what is shared stands below`;
}

function forbidden(path: string, specifier: string): string | undefined {
  const target = resolved(path, specifier);
  if (path.startsWith('contract/') && !isTest(path) && !specifier.startsWith('./') && specifier !== 'zod')
    return 'the contract imports zod only';
  if (path.startsWith('web/src/') && (target.startsWith('server/') || specifier.startsWith('@tenure/server')))
    return 'the browser application knows the contract, not the server';
  if (path.startsWith('web/src/') && !isTest(path)) return forbiddenInWeb(path, target);
  if (isTest(path) || !path.startsWith('server/src/') || !target.startsWith('server/src/')) return undefined;
  if (layerOf(target) < layerOf(path)) return 'a file imports from its own layer and those below it';
  const [from, to] = [featureModule.exec(path)?.groups, featureModule.exec(target)?.groups];
  if (!from?.['feature'] || !to?.['module'] || from['feature'] === to['feature']) return undefined;
  return opened[to['module']]?.includes(from['feature'])
    ? undefined
    : `${to['module']} is not opened to ${from['feature']}; what features share stands below them`;
}

const directions: Rule = (source) =>
  importsOf(source).flatMap((specifier) => {
    const reason = forbidden(source.path, specifier);
    return reason ? [`${source.path}: imports ${specifier}: ${reason}`] : [];
  });

const testFolder = /^server\/src\/(testing|resilience|security|year)\//;
/** The entry points of a release, in addition to what these import. */
const commands = /^scripts\/(start|backup|restore|after-restore|audit-verify|open-door|export-keys)\.ts$/;

/** A release contains no tests or test helpers. */
const shipped: Rule = (source) =>
  commands.test(source.path) ||
  (source.path.startsWith('server/src/') && !testFolder.test(source.path) && !isTest(source.path))
    ? importsOf(source)
        .filter((name) => testFolder.test(resolved(source.path, name)))
        .map((name) => `${source.path}: imports ${name}; a release has no helpers of tests`)
    : [];

const peopleWriters = 'server/src/people/row-write.ts';
const writesPeople =
  /\b(update|insert\s+into|delete\s+from|merge\s+into|truncate)\s+(only\s+)?employees\b|(updateTable|insertInto|deleteFrom|mergeInto)\(\s*\[?\s*'employees\b|\btable: 'employees'/i;
// a person's address follows their account's by foreign key
const writesAddresses = /\bupdate\s+users\b[^`]*?\bemail\s*=|updateTable\(\s*'users'[^;]*?\bemail\b/i;

const departmentWriters = 'server/src/features/departments/row-write.ts';
const writesDepartments =
  /\b(update|insert\s+into|merge\s+into)\s+(only\s+)?departments\b|(updateTable|insertInto|mergeInto)\(\s*\[?\s*'departments\b/i;

const checked: Rule = ({ path, text }) =>
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

const named: Rule = ({ path, text }) =>
  path.startsWith('server/src/') && !isTest(path)
    ? tableStars(path, text).map(
        (line) => `${path}:${line}: answers all columns of a table by *; allColumns names those this release knows`,
      )
    : [];

/** A click goes to what is at a point on the screen; an element that is focused or sent an event may be elsewhere. */
const pointed: Rule = ({ path, text }) =>
  path.endsWith('.e2e.ts') && !/\b(clickAt|tapAt)\(/.test(text)
    ? [`${path}: uses no pointer; clickAt or tapAt of e2e/pointer.ts presses where the element is`]
    : [];

const vague = /\b(whoever|somebody|nobody|what waits|(?:is|are) told)\b/i;
const vagueInDocuments = new RegExp(`${vague.source}|\\b(everybody|anybody|one's own|the own)\\b`, 'i');
const isProse = (line: string) => /^\s*(\/\/|\/?\*)|\s\/\/ |^\s*(test|describe)(\.each\(.*\))?\(/.test(line);
/** Folders whose comments and test titles follow STYLE 19. */
const plainFolders = /^(bench|contract|e2e|scripts|server\/src|web\/(plugins|src))\//;

const isDocument = (path: string) => path.endsWith('.md');
/** A page may quote test titles, words and code that are written elsewhere. */
const unquoted = (line: string) => line.replaceAll(/“[^”]*”|"[^"]*"|`[^`]*`/g, '');

/** The lines to which STYLE 19 applies: documents, and comments in these folders. */
function proseOf({ path, text }: Source): string[] {
  const lines = text.split('\n');
  if (isDocument(path)) return lines.map(unquoted);
  const checked = plainFolders.test(path) && !isGenerated(path);
  return checked ? lines.map((line) => (isProse(line) ? line : '')) : [];
}

/** STYLE 19: a sentence names its subject. */
const plain: Rule = (source) =>
  proseOf(source).flatMap((line, index) => {
    const found = (isDocument(source.path) ? vagueInDocuments : vague).exec(line)?.[0];
    return found ? [`${source.path}:${index + 1}: says "${found}"; name the user, person, caller, actor or task`] : [];
  });

const rules: Rule[] = [
  sizes,
  environment,
  quotas,
  handles,
  secrets,
  directions,
  shipped,
  guarded,
  checked,
  named,
  pointed,
  plain,
];

/** Every violation of a rule in these sources and documents, one line each. */
export const breaches = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) => (isDocument(source.path) ? [plain] : rules).flatMap((rule) => rule(source)));

/** Modules that are opened to a feature that does not use them. */
export function unused(sources: readonly Source[]): string[] {
  const used = new Set(
    sources
      .filter(({ path }) => !isTest(path))
      .flatMap((source) =>
        importsOf(source).map((specifier) => {
          const target = resolved(source.path, specifier);
          const module = (featureModule.exec(target) ?? webModule.exec(target))?.groups?.['module'];
          return `${module} by ${(featureModule.exec(source.path) ?? webModule.exec(source.path))?.groups?.['feature']}`;
        }),
      ),
  );
  return [...Object.entries(opened), ...Object.entries(openedInWeb)]
    .flatMap(([module, users]) => users.map((user) => `${module} by ${user}`))
    .filter((use) => !used.has(use))
    .map((use) => `scripts/check-architecture.ts: nothing uses ${use}; close it`);
}

if (import.meta.main) {
  const sources = allSources();
  const found = [...breaches([...sources, ...allDocuments()]), ...unused(sources)];
  for (const line of found) console.error(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
