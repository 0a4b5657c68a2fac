import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Language } from '../../locales/locales.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { english, german, start } from '../../testing/start.tsx';

const entry = {
  id: 1,
  at: '2026-03-01T08:00:00.000Z',
  actor: { user_id: 7, name: 'Hana Ito' },
  action: 'role.permissions_changed',
  subject_type: 'role',
  subject_id: 4,
  subject_label: 'TeamLead',
  entity_id: null,
  changes: { permissions: { from: ['departments.view', 'employees.view'], to: ['employees.view', 'audit.view'] } },
  labels: {},
  reason: null,
  request_id: null,
  ip: null,
};
const gone = {
  ...entry,
  id: 2,
  actor: { user_id: null, name: 'System' },
  action: 'department.deleted',
  subject_type: 'department',
  subject_id: 8,
  subject_label: 'Purchasing',
  changes: {
    manager_id: { from: 23, to: null },
    address: { from: '[hidden]', to: '[hidden]' },
    active: { from: true, to: false },
    joining_date: { from: null, to: '2026-02-02' },
  },
  labels: { manager_id: { 23: 'Omar Diaz' } },
  token: { id: 9, name: 'Nightly' },
  reason: 'Merged with Sales',
};

type More = { before?: string; language?: Language };

const open = (address: string, rows: readonly object[] = [entry, gone], { before, language = english }: More = {}) => {
  const service = serve({
    'GET /api/me': signedInAs(['audit.view']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/audit-log': listOf(rows),
    'GET /api/audit-log/archived': itemOf({ before: before ?? null }),
  });
  return { service, ...start(address, language) };
};

test('entries are sentences with a link to each record that still exists', async () => {
  open('/audit-log');
  await screen.findAllByText(/Added: View the audit log\./);
  const [, first, second] = within(screen.getByRole('table')).getAllByRole('row');
  const text = (row: HTMLElement | undefined) => row?.textContent.replaceAll(' changed to ', '') ?? '';
  expect(text(first)).toContain('Role · Permissions changed');
  expect(text(first)).toContain('Added: View the audit log. Removed: View departments.');
  expect(
    within(first as HTMLElement)
      .getByRole('link', { name: 'Team lead' })
      .getAttribute('href'),
  ).toBe('/roles/4');
  expect(text(second)).toContain('Tenure (automatic)');
  expect(text(second)).toContain('Omar Diaz → (empty)');
  expect(text(second)).toContain('(hidden) → (hidden)');
  expect(text(second)).toContain('Yes → No');
  expect(text(second)).toContain('2 Feb 2026');
  expect(text(second)).toContain('Merged with Sales');
  expect(within(second as HTMLElement).queryByRole('link')).toBeNull();
});

test('a role is a built-in one by its words, or the part of who signed', async () => {
  const signed = (id: number, to: string) => ({ ...entry, id, changes: { role: { from: null, to } } });
  open('/audit-log', [signed(1, 'TeamLead'), signed(2, 'manager')]);
  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row');
  expect(first?.textContent).toContain('Team lead');
  expect(second?.textContent).toContain('Manager');
  expect(second?.textContent).not.toContain('manager');
});

test("fields have the same labels as in the record's form", async () => {
  const changes = {
    code: { from: 'A', to: 'B' },
    parent_id: { from: 1, to: null },
    tax_number: { from: '1', to: '2' },
  };
  const company = { ...entry, action: 'entity.updated', subject_type: 'entity', changes };
  open('/audit-log', [company, { ...company, id: 2, action: 'department.updated', subject_type: 'department' }]);
  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row');
  expect(first?.textContent).toContain('Code: A');
  expect(first?.textContent).toContain('Tax number: 1');
  expect(second?.textContent).toContain('Code: A');
  expect(second?.textContent).toContain('Parent department: ');
});

test('entries about ways into an account are labelled', async () => {
  const labels = {
    invited: 'Invited',
    invitation_used: 'Invitation accepted',
    invitation_withdrawn: 'Invitation withdrawn',
    password_link_sent: 'Password link sent',
    password_link_used: 'Password set by link',
    sessions_ended: 'Signed out everywhere',
  };
  const entries = Object.keys(labels).map((verb, id) => ({ ...entry, id, action: `account.${verb}` }));
  open('/audit-log', entries);
  const [, ...rows] = within(await screen.findByRole('table')).getAllByRole('row');
  for (const [place, label] of Object.values(labels).entries()) expect(rows[place]?.textContent).toContain(label);
});

test('an entry about a probation review links to it', async () => {
  open('/audit-log', [{ ...entry, subject_type: 'probation_review', subject_id: 24, subject_label: 'Lena Park' }]);
  expect((await screen.findByRole('link', { name: 'Lena Park' })).getAttribute('href')).toBe('/probation/24');
});

const named = (id: number, subject_type: string, subject_label: string) => ({
  ...entry,
  id,
  subject_type,
  subject_id: id,
  subject_label,
  action: `${subject_type}.created`,
});
const stored = [
  named(1, 'probation_review', 'Lena Park, probation until 2026-11-26'),
  named(2, 'probation_signature', 'Lena Park, probation until 2026-11-26'),
  named(3, 'letter_template', 'confirmation'),
  named(4, 'audit_log', '2025-11'),
  named(5, 'kpi_cycle', 'Sales, probation until 2026-11-26'),
  named(6, 'export', 'kpi-evaluations'),
  named(7, 'export', 'employees-as-of-2025-01-01'),
];

test.each([
  [
    'an English',
    english,
    ['Lena Park, probation until 26 Nov 2026', 'Confirmation', 'November 2025', 'KPI evaluations'],
  ],
  ['a German', german, ['Lena Park, Probezeit bis 26.11.2026', 'Bestätigung', 'November 2025', 'KPI-Beurteilungen']],
])(
  '%s reader sees stored names in words and dates of the language',
  async (_who, language, [review, letter, month, list]) => {
    open('/audit-log?subject_id=1', stored, { language });
    const [, ...rows] = within(await screen.findByRole('table')).getAllByRole('row');
    const labels = rows.map((row) => row.querySelector('bdi')?.textContent);
    expect(labels).toEqual([
      review,
      review,
      letter,
      month,
      'Sales, probation until 2026-11-26',
      list,
      'employees-as-of-2025-01-01',
    ]);
    const chip = language === german ? `Über ${review}` : `About ${review}`;
    expect(screen.getByRole('button', { name: new RegExp(chip) })).toBeDefined();
  },
);

test('the filters are in the address, and an export uses the same', async () => {
  const begun = new Date('2026-03-01T00:00').toISOString();
  const { service, user, where } = open('/audit-log?at_from=2026-03-01&subject_type=role&nonsense=1');
  await screen.findByRole('table');
  expect(Object.fromEntries(service.to('GET /api/audit-log').at(-1)?.query ?? [])).toEqual({
    at_from: begun,
    subject_type: 'role',
  });
  await user.click(screen.getByRole('button', { name: /^Hana Ito/ }));
  await waitFor(() => expect(where()).toBe('/audit-log?at_from=2026-03-01&subject_type=role&actor_id=7'));
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const csv = await screen.findByRole('menuitem', { name: /CSV/ });
  const query = new URL(csv.getAttribute('href') ?? '', 'http://tenure.test').searchParams;
  expect(Object.fromEntries(query)).toEqual({
    at_from: begun,
    subject_type: 'role',
    actor_id: '7',
    headings: 'words',
    format: 'csv',
  });
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: /^By Hana Ito/ }));
  await waitFor(() => expect(where()).toBe('/audit-log?at_from=2026-03-01&subject_type=role'));
});

test('the log can be filtered by changes that Tenure made itself', async () => {
  const { service, user } = open('/audit-log');
  await user.click(await screen.findByRole('button', { name: /^Tenure \(automatic\)/ }));
  await waitFor(() => expect(service.to('GET /api/audit-log').at(-1)?.query.get('actor_id')).toBe('0'));
});

test('when no entry matches, one button clears the filters', async () => {
  const { user, where } = open('/audit-log?search=nothing&subject_id=4&subject_type=role', []);
  await user.click(await screen.findByRole('button', { name: 'Show all entries' }));
  await waitFor(() => expect(where()).toBe('/audit-log'));
  expect(await screen.findByText('No entries yet')).toBeDefined();
});

test('the log is filtered by action; the actions are those of the selected record type', async () => {
  const { service, user, where } = open('/audit-log?subject_type=role');
  await screen.findByRole('table');
  const action = screen.getByRole('combobox', { name: 'Action taken' });
  const offered = within(action)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  expect(offered).toEqual([
    'All actions',
    'Created',
    'Changed',
    'Deleted',
    'Permissions changed',
    'Viewing as this role started',
    'Viewing as this role stopped',
  ]);
  await user.selectOptions(action, 'Permissions changed');
  await waitFor(() => expect(where()).toBe('/audit-log?subject_type=role&action=role.permissions_changed'));
  expect(service.to('GET /api/audit-log').at(-1)?.query.get('action')).toBe('role.permissions_changed');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Record' }), 'Import');
  await waitFor(() => expect(where()).toBe('/audit-log?subject_type=import'));
});

test('a fingerprint is folded, and the IP address is beside the person', async () => {
  const hash = 'fc02522d'.repeat(8);
  open('/audit-log', [{ ...entry, ip: '192.0.2.7', changes: { content_hash: { from: null, to: hash } } }]);
  await screen.findByText('IP address 192.0.2.7');
  expect(screen.getByText('Fingerprint:')).toBeDefined();
  expect(screen.getByText(hash).closest('details')?.open).toBe(false);
});

test('the page says from which day on the log is here, once older months are in an archive', async () => {
  open('/audit-log', [entry], { before: '2024-11-01' });
  expect(await screen.findByText(/^Entries before 1 Nov 2024 are in an archive/)).toBeDefined();
});

test('a role within departments names these, whatever company has the same number', async () => {
  const roles = { from: [], to: [{ role: 'HR', entity_ids: [4], department_ids: [4, 9] }] };
  const labels = { roles: { 4: 'North', 'department:4': 'Purchasing' } };
  open('/audit-log', [{ ...entry, action: 'employee.roles_changed', changes: { roles }, labels }]);
  const [, row] = within(await screen.findByRole('table')).getAllByRole('row');
  expect(row?.textContent).toContain('Companies: North · Departments: Purchasing and (you don’t have access)');
});

test('what is set up for sign-in and programs is written in words', async () => {
  const added = (changes: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(changes).map(([field, to]) => [field, { from: null, to }]));
  const provider = added({ kind: 'oidc', provider_id: 3, unmatched: 'stage', is_dry_run: true });
  const labels = { provider_id: { 3: 'Keycloak' } };
  const rules = added({ rules: [{ value: 'hr-team', role: 'HR', entity_ids: null }], starts_on: '2026-12-01' });
  open('/audit-log', [
    { ...entry, action: 'scim_connection.created', subject_type: 'scim_connection', changes: provider, labels },
    { ...entry, id: 2, action: 'identity_provider.role_rules_changed', changes: rules, labels: { rules: {} } },
  ]);
  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row');
  for (const said of ['Kind: OpenID Connect', 'Linked sign-in provider: Keycloak', 'Dry run: Yes'])
    expect(first?.textContent).toContain(said);
  expect(second?.textContent).toContain('Group: hr-team · Role: HR');
  expect(second?.textContent).toContain('Shown from: 1 Dec 2026');
});
