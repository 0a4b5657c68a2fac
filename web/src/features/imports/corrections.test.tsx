import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const fields = ['first_name', 'last_name', 'email', 'entity', 'department', 'employment_type', 'joining_date'];
const columns = fields.map((field) => ({ header: field, field, source: 'exact', sample: 'x' }));
const wrong = 'No company is called “Sample Company”. Select a company or create it first.';
const row = (number: number) => ({
  row: number,
  status: 'failed',
  action: 'none',
  key: null,
  subject_id: null,
  cells: { first_name: `Kim${number}`, entity: 'Sample Company', department: 'Sales', employment_type: 'full' },
  errors: { entity_id: [wrong] },
  warnings: {},
  changes: null,
  edited: false,
  left_out: false,
});
const preview = {
  id: 41,
  status: 'preview',
  phase: null,
  file_name: 'staff.csv',
  mode: 'partial',
  defaults: {},
  create_departments: false,
  columns,
  progress: { processed: 107, total: 107 },
  counts: { total: 107, valid: 0, created: 0, updated: 0, skipped: 0, failed: 107, warnings: 0 },
  plan_hash: '7d20c1e9',
  failure: null,
  revision: 3,
  stale_rows: null,
  undone_at: null,
  undo_until: null,
  kept_count: 0,
  kept_rows: [],
  created_by: { user_id: 7, name: 'Hana Ito' },
  on_conflict: 'fail',
  date_format: 'YYYY-MM-DD',
  values: {},
  header_row: 1,
  allowed_actions: ['update', 'commit', 'delete'],
};
const url = '/api/employees/imports/41';
const company = { field: 'entity', value: 'Sample Company', rows: 107, message: wrong, suggestion: null };
const seeing = ['employees.view', 'employees.import', 'entities.view', 'departments.view'];

const profile = {
  id: 7,
  name: 'Payroll office',
  entity: { id: 1, name: 'Northwind Retail' },
  allowed_actions: ['delete'],
};

function service({ repeated = [company] as object[], dates = null as object | null, permissions = seeing } = {}) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/employees/import-profiles': listOf([profile]),
    'GET /api/entities': listOf([{ id: 1, name: 'Northwind Retail', code: 'NWR' }]),
    'GET /api/departments': listOf([{ id: 4, name: 'Sales', entity: { id: 1, name: 'Northwind Retail' } }]),
    [`GET ${url}`]: itemOf(preview),
    [`GET ${url}/problems`]: itemOf({ repeated, dates }),
    [`GET ${url}/values`]: itemOf([]),
    [`GET ${url}/rows`]: listOf([row(2), row(3)]),
    [`POST ${url}/replacements`]: itemOf({ id: 3, field: 'entity', rows: 107 }),
    [`DELETE ${url}/replacements/3`]: { status: 204 },
    [`PUT ${url}`]: itemOf(preview),
    [`PUT ${url}/rows/2`]: itemOf(row(2)),
  });
}

const groups = () => screen.findByRole('region', { name: 'Errors in several rows' });

test('a value that is wrong in many rows is replaced in all of them at once, and that is undone', async () => {
  const served = service();
  const { user } = start('/imports/41');
  const section = within(await groups());
  expect((await section.findByRole('listitem')).textContent).toContain('107 rows · Company: Sample Company');
  await user.click(section.getByRole('button', { name: /^Fix all/ }));
  const input = section.getByRole('combobox', { name: 'Company for 107 rows' });
  const replace = section.getByRole('button', { name: 'Replace in 107 rows' });
  expect(replace).toHaveProperty('disabled', true);
  await user.clear(input);
  await user.click(await screen.findByRole('option', { name: /Northwind Retail/, hidden: true }));
  expect(input).toHaveProperty('value', 'Northwind Retail');
  await user.click(replace);
  const body = { field: 'entity', from: 'Sample Company', to: 'Northwind Retail' };
  await waitFor(() => expect(served.to(`POST ${url}/replacements`)[0]?.body).toEqual(body));
  await screen.findByText('107 rows corrected.');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to(`DELETE ${url}/replacements/3`)).toHaveLength(1));
});

test('what a value resembles is proposed', async () => {
  service({ repeated: [{ ...company, suggestion: 'Northwind Retail' }] });
  const { user } = start('/imports/41');
  await user.click(within(await groups()).getByRole('button', { name: /^Fix all/ }));
  expect(screen.getByRole('combobox', { name: 'Company for 107 rows' })).toHaveProperty('value', 'Northwind Retail');
});

test.each([
  { permissions: seeing, offered: 0 },
  { permissions: [...seeing, 'entities.create'], offered: 1 },
])('a missing company can be created here by those who can ($offered)', async ({ permissions, offered }) => {
  service({ permissions });
  const { user } = start('/imports/41');
  await user.click(within(await groups()).getByRole('button', { name: /^Fix all/ }));
  expect(screen.queryAllByRole('button', { name: 'Create company…' })).toHaveLength(offered);
});

const noDepartment = 'No department of this company is called “Night Shift”. Select a department or create it first.';
const department = { field: 'department', value: 'Night Shift', rows: 12, message: noDepartment, suggestion: null };

test('missing departments of a file are created with it by one answer', async () => {
  const repeated = [{ ...department, value: 'Sale', suggestion: 'Sales' }, department];
  const served = service({ repeated, permissions: [...seeing, 'departments.create'] });
  const { user } = start('/imports/41');
  await screen.findByText('Some departments of this file don’t exist yet.');
  await user.click(screen.getByRole('button', { name: 'Create with the import' }));
  await waitFor(() => expect(served.to(`PUT ${url}`)[0]?.body).toEqual({ create_departments: true, revision: 3 }));
});

test.each([
  { permissions: seeing, repeated: [department], why: 'to users who create no departments' },
  { permissions: [...seeing, 'departments.create'], repeated: [company], why: 'where none is missing' },
  {
    permissions: [...seeing, 'departments.create'],
    repeated: [{ ...department, value: 'Sale', suggestion: 'Sales' }],
    why: 'where a name resembles one',
  },
])('no departments are offered $why', async ({ permissions, repeated }) => {
  service({ permissions, repeated });
  start('/imports/41');
  await groups();
  expect(screen.queryByRole('button', { name: 'Create with the import' })).toBeNull();
});

test('the format of the dates is asked once for the whole file', async () => {
  const served = service({ repeated: [], dates: { formats: ['DD.MM.YYYY'], sample: '12.05.2026' } });
  const { user } = start('/imports/41');
  await screen.findByText(/^These dates look like DD\.MM\.YYYY/);
  await user.click(screen.getByRole('button', { name: /^Read as DD\.MM\.YYYY/ }));
  await waitFor(() => expect(served.to(`PUT ${url}`)[0]?.body).toEqual({ date_format: 'DD.MM.YYYY', revision: 3 }));
});

test('ambiguous dates show each reading', async () => {
  service({ repeated: [], dates: { formats: ['DD/MM/YYYY', 'MM/DD/YYYY'], sample: '03/04/2026' } });
  start('/imports/41');
  await screen.findByText(/can be read in more than one way/);
  expect(screen.getByRole('button', { name: 'Read as DD/MM/YYYY (3 Apr 2026)' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Read as MM/DD/YYYY (4 Mar 2026)' })).toBeDefined();
});

test('a year of two digits is shown as the year that is read', async () => {
  service({ repeated: [], dates: { formats: ['DD.MM.YYYY'], sample: '3.4.79' } });
  start('/imports/41');
  expect(await screen.findByRole('button', { name: /^Read as DD\.MM\.YYYY \(3 Apr 1979\)/ })).toBeDefined();
});

test('a cell with fixed values offers them, by keyboard, and takes other text too', async () => {
  const served = service();
  const { user } = start('/imports/41');
  const cell = await screen.findByRole('button', { name: /^Employment type, row 2/ });
  cell.focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('combobox', { name: 'Employment type, row 2' });
  await user.keyboard('part');
  await screen.findByRole('option', { name: /Part time/, hidden: true });
  await waitFor(() => expect(screen.queryByRole('option', { name: /Intern/, hidden: true })).toBeNull());
  await user.keyboard('{ArrowDown}{Enter}');
  const bodies = () => served.to(`PUT ${url}/rows/2`).map(({ body }) => body);
  await waitFor(() => expect(bodies()).toEqual([{ cells: { employment_type: 'Part time' } }]));
  await user.click(await screen.findByRole('button', { name: /^Department, row 2/ }));
  await screen.findByRole('combobox', { name: 'Department, row 2' });
  await user.keyboard('New team{Enter}');
  await waitFor(() => expect(bodies().at(-1)).toEqual({ cells: { department: 'New team' } }));
});

test('the columns have the order of the file, and the name with the number of the row stays in view', async () => {
  service();
  start('/imports/41');
  await screen.findByRole('button', { name: /^Company, row 2/ });
  const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const own = ['First name', 'Last name', 'Work email', 'Company', 'Department', 'Employment type', 'Start date'];
  expect(titles).toEqual(['Name', 'Status', 'Actions', ...own]);
  const [first] = within(screen.getAllByRole('row')[1] as HTMLElement).getAllByRole('cell');
  expect(first?.textContent).toBe('Kim2Row 2');
});

test('the company can be used for every row, and the switch can be turned off again', async () => {
  const served = service();
  served.replies[`GET ${url}`] = itemOf({ ...preview, defaults: { entity_id: 1 } });
  const { user } = start('/imports/41?columns=true');
  const over = await screen.findByRole('switch', { name: /^Use it for every row/ });
  const company = screen.getByRole('combobox', { name: 'Field for column entity' });
  expect(company).toHaveProperty('value', 'entity');
  await user.click(over);
  expect(company).toHaveProperty('value', '');
  await user.click(over);
  expect(company).toHaveProperty('value', 'entity');
  await user.click(over);
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  await waitFor(() =>
    expect(served.to(`PUT ${url}`)[0]?.body).toMatchObject({ mapping: { entity: null }, defaults: { entity_id: 1 } }),
  );
});

const status = {
  header: 'Contract',
  field: 'employment_type',
  choices: ['full_time', 'part_time', 'contract'],
  values: [
    { text: 'full-time', rows: 80, value: 'full_time', source: 'exact' },
    { text: 'Vollzeit', rows: 20, value: 'full_time', source: 'suggested' },
    { text: 'TZ50', rows: 6, value: 'part_time', source: 'remembered' },
    { text: 'Zqx', rows: 1, value: null, source: 'unknown' },
  ],
  more: 0,
};

test('words of the file are matched with choices together; proposals are filled in', async () => {
  const served = service({ repeated: [] });
  served.replies[`GET ${url}/values`] = itemOf([status]);
  const { user } = start('/imports/41');
  const section = within(await screen.findByRole('region', { name: 'Match values' }));
  expect(section.getByRole('combobox', { name: 'Vollzeit means' })).toHaveProperty('value', 'full_time');
  expect(section.queryByRole('combobox', { name: 'full-time means' })).toBeNull();
  expect(section.getByText(/as last time/)).toBeDefined();
  expect(section.getByRole('button', { name: 'Use 2 values' })).toBeDefined();
  await user.selectOptions(section.getByRole('combobox', { name: 'Zqx means' }), 'Leave empty');
  await user.click(section.getByRole('button', { name: 'Use 3 values' }));
  const values = { Contract: { Vollzeit: 'full_time', TZ50: 'part_time', Zqx: null } };
  await waitFor(() => expect(served.to(`PUT ${url}`)[0]?.body).toEqual({ values, revision: 3 }));
});

test('matched values can be changed later, beside the other columns', async () => {
  const matched = { ...status, values: [{ text: 'TZ50', rows: 6, value: 'part_time', source: 'chosen' }] };
  const served = service({ repeated: [] });
  const values = { Contract: { TZ50: 'part_time' }, Dept: { 12: 'Sales' } };
  served.replies[`GET ${url}`] = itemOf({ ...preview, values });
  served.replies[`GET ${url}/values`] = itemOf([matched]);
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Change 1 matched value' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'TZ50 means' }), 'Contract');
  await user.click(screen.getByRole('button', { name: 'Use 1 value' }));
  const sent = { values: { Contract: { TZ50: 'contract' }, Dept: { 12: 'Sales' } }, revision: 3 };
  await waitFor(() => expect(served.to(`PUT ${url}`)[0]?.body).toEqual(sent));
});

test('the row of the headings is named if titles are above it', async () => {
  const served = service({ repeated: [] });
  served.replies[`GET ${url}`] = itemOf({ ...preview, header_row: 4 });
  start('/imports/41');
  expect(await screen.findByText('The headings are in row 4; rows above it aren’t imported.')).toBeDefined();
});

test('the settings of an import are saved as a profile of a company', async () => {
  const served = service({ repeated: [] });
  served.replies[`GET ${url}`] = itemOf({ ...preview, defaults: { entity_id: 1 } });
  served.replies[`POST ${url}/profile`] = { status: 201, body: { data: profile, message: '' } };
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Save settings as a profile…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save settings as a profile' }));
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Payroll office');
  await user.click(dialog.getByRole('button', { name: 'Save profile' }));
  await screen.findByText('The profile “Payroll office” was saved.');
  expect(served.to(`POST ${url}/profile`)[0]?.body).toEqual({ name: 'Payroll office', entity_id: 1 });
});

test('a profile is applied to an uploaded file with one choice', async () => {
  const served = service({ repeated: [] });
  const { user } = start('/imports/41?columns=true');
  const choice = await screen.findByRole('combobox', { name: 'Use an import profile' });
  await user.selectOptions(choice, 'Payroll office · Northwind Retail');
  await waitFor(() => expect(served.to(`PUT ${url}`)[0]?.body).toEqual({ profile_id: 7, revision: 3 }));
});
