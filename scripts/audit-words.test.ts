import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpointGroups } from '@tenure/contract';
import { expect, test } from 'vitest';

/** Each field that an audit entry can hold has a label: fields of requests, and fields named where an entry is written. */

const root = join(import.meta.dirname, '..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Endpoints whose requests are compared with what is stored; the difference is in the log. */
const compared = [
  'attachments',
  'brand',
  'companyBrand',
  'departments',
  'employees',
  'entities',
  'identityProviders',
  'kpiCycles',
  'kpiTemplates',
  'letters',
  'notificationPreferences',
  'notificationSettings',
  'probationCriteria',
  'probationReviews',
  'profile',
  'roles',
  'savedViews',
  'signInPolicies',
  'webhooks',
];
/** What says how to change a record and is no field of it; a copied cycle is logged as `copied_from`. */
const notLogged = new Set([
  'revision',
  'reason',
  'dry_run',
  'issue_password',
  'move_employees',
  'copy_from',
  'address_takes_effect',
]);

const fieldsOfRequests = compared.flatMap((group) =>
  Object.entries(endpointGroups[group] ?? {})
    .filter(([name]) => /^(create|update)/.test(name))
    .flatMap(([, { body }]) => Object.keys(body?.shape ?? {}))
    .filter((name) => !notLogged.has(name)),
);

/** `status: { from: …, to: … }` in the sources of the service. */
const fieldsInSources = globSync('server/src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('/testing/') && !path.includes('/security/'))
  .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/\b([a-z_]+): \{ from\b/g)])
  .flatMap(([, name]) => (name === undefined || name === 'taking' ? [] : name));

test.each(['en', 'de'])('each field that an audit entry can hold has a label (%s)', (language) => {
  const { fields } = read(`contract/locales/${language}/fields.json`) as {
    fields: Record<string, Record<string, string>>;
  };
  const { audit } = read(`contract/locales/${language}/browser/audit.json`) as {
    audit: { field: Record<string, string> };
  };
  const labels = { ...fields['employee'], ...fields['entity'], ...fields['department'], ...audit.field };
  const names = [...new Set([...fieldsOfRequests, ...fieldsInSources])];
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !(name in labels)).toSorted()).toEqual([]);
});

/** Columns whose values no entry holds. */
const notInEntries = new Set([
  'account_links.purpose',
  'attachments.scan_status',
  'authenticators.kind',
  'backups.kind',
  'backups.status',
  'budgets.kind',
  'chat_targets.reason',
  'chat_targets.status',
  'employee_counts.level',
  'imports.phase',
  'known_origins.kind',
  'kpi_evaluation_bulk_rows.outcome',
  'kpi_evaluation_bulks.kind',
  'kpi_evaluation_bulks.status',
  'kpi_evidence.scan_status',
  'kpi_evaluation_bulks.status',
  'kpi_evaluation_bulk_rows.outcome',
  'notification_deliveries.status',
  'own_account_links.purpose',
  'processes.role',
  'provider_outages.part',
  'provider_outages.reason',
  'notification_mutes.channel',
  'notifications.severity',
  'probation_sheets.scan_status',
  'session_register.method',
  'sign_in_blocks.source',
  'webhook_deliveries.error',
  'webhooks.reason',
  'webhooks.status',
]);

test.each(['en', 'de'])('each value of a fixed list has a word for the entries that hold it (%s)', (language) => {
  const { auditLog } = read(`contract/locales/${language}/browser/audit-log.json`) as {
    auditLog: { value: Record<string, string> };
  };
  const schema = readFileSync(join(root, 'docs/schema.sql'), 'utf8');
  const lists = [...schema.matchAll(/^create table (\w+) \(([^]*?)^\)/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/^ {2}(\w+) text\b.* check \(\1 in \(([^)]+)\)\)/gm)].map(([, column, list = '']) => ({
      column: `${table}.${column}`,
      values: [...list.matchAll(/'(\w+)'/g)].map(([, value = '']) => value),
    })),
  );
  expect(lists.length).toBeGreaterThan(40);
  const missing = lists
    .filter(({ column }) => !notInEntries.has(column))
    .flatMap(({ column, values }) =>
      values.filter((one) => !(one in auditLog.value)).map((one) => `${column}: ${one}`),
    );
  expect(missing).toEqual([]);
});
