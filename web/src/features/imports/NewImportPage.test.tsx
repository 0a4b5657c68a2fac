import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const permissions = ['employees.view', 'employees.import', 'entities.view', 'departments.create', 'departments.view'];

const service = () =>
  serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/departments': listOf([{ id: 4, name: 'Purchasing' }]),
    'GET /api/employees/imports': listOf([]),
    'GET /api/employees/import-profiles': listOf([]),
    'POST /api/employees/import': itemOf({ id: 41 }),
  });

const people = (name: string) => new File(['first_name\nAnn\n'], name);

test('limits, required columns and samples are shown before a file is chosen', async () => {
  service();
  start('/imports/new');
  expect(await screen.findByText('CSV or Excel, up to 50 MB and 200,000 rows')).toBeDefined();
  const guide = screen.getByRole('complementary', { name: 'File format' });
  for (const name of ['First name', 'Last name', 'Work email', 'Company', 'Department'])
    expect(within(guide).getByText(name)).toBeDefined();
  expect(within(guide).getByRole('link', { name: 'Excel template' }).getAttribute('href')).toBe(
    '/api/employees/import/sample?format=xlsx',
  );
});

test('a file is checked with the settings for all rows; the only company is preselected', async () => {
  const served = service();
  const { user, where } = start('/imports/new?type=employees');
  await user.upload(await screen.findByLabelText(/^Drop the file here/), people('staff.csv'));
  await user.click(screen.getByRole('combobox', { name: 'Department for rows without one' }));
  await user.click(await screen.findByRole('option', { name: 'Purchasing', hidden: true }));
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'If an employee number already exists' }),
    'Update the existing person',
  );
  await user.type(screen.getByRole('textbox', { name: 'Heading row' }), '4');
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(where()).toBe('/imports/41'));
  expect(served.to('POST /api/employees/import')[0]?.body).toMatchObject({
    dry_run: 'true',
    on_conflict: 'update',
    mode: 'partial',
    header_row: '4',
    defaults: '{"entity_id":1,"department_id":4,"employment_lifecycle":"by_dates"}',
  });
});

test('a file of a payroll program is read as Windows-1252, and the page says so', async () => {
  const served = service();
  const { user } = start('/imports/new?type=employees');
  const letters = Uint8Array.from('Vorname;Nachname\nJörg;Groß\n', (letter) => letter.charCodeAt(0));
  const input = await screen.findByLabelText(/^Drop the file here/);
  await user.upload(input, new File([letters], 'lohn.txt'));
  await screen.findByText(/^This file isn’t in UTF-8/);
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(served.to('POST /api/employees/import')).toHaveLength(1));
  await user.upload(input, people('staff.csv'));
  await waitFor(() => expect(screen.queryByText(/^This file isn’t in UTF-8/)).toBeNull());
});

test('a file that is still read when it is sent goes in UTF-8 too', async () => {
  const served = service();
  const { user } = start('/imports/new?type=employees');
  const file = new File([Uint8Array.of(0x4a, 0xf6)], 'lohn.txt');
  const { promise, resolve } = Promise.withResolvers<ArrayBuffer>();
  vi.spyOn(file, 'arrayBuffer').mockReturnValue(promise);
  await user.upload(await screen.findByLabelText(/^Drop the file here/), file);
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  expect(served.to('POST /api/employees/import')).toHaveLength(0);
  resolve(Uint8Array.of(0x4a, 0xf6).buffer);
  await waitFor(() => expect(served.to('POST /api/employees/import')).toHaveLength(1));
  const { file: sent } = (served.to('POST /api/employees/import')[0]?.body ?? {}) as { file?: File };
  expect([sent?.name, await sent?.text()]).toEqual(['lohn.csv', 'Jö']);
});

test('a list with columns at fixed positions goes as CSV, and the page says how its columns were found', async () => {
  const served = service();
  const { user } = start('/imports/new?type=employees');
  const list = 'NR  NAME    ORT\n001 Iversen Kiel\n002 Jansen  Husum\n';
  await user.upload(await screen.findByLabelText(/^Drop the file here/), new File([list], 'lohn.txt'));
  await screen.findByText(/^This file has no separators/);
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(served.to('POST /api/employees/import')).toHaveLength(1));
});

test('where a finger is the pointer, a file is chosen: nothing is said of dropping it', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(pointer: coarse)',
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }));
  service();
  const { user } = start('/imports/new');
  const field = await screen.findByLabelText(/^Choose a file/);
  expect(screen.queryByText(/drop/i)).toBeNull();
  expect(screen.getAllByText('Choose a file')).toHaveLength(1);
  await user.upload(field, people('staff.csv'));
  expect(await screen.findByText('staff.csv')).toBeDefined();
  expect(screen.getByText('Choose another file')).toBeDefined();
});

test('an invalid file is not sent; if the service refuses a file, the choice stays', async () => {
  const served = service();
  const { user } = start('/imports/new');
  const field = await screen.findByLabelText(/^Drop the file here/);
  await user.upload(field, new File([], 'empty.csv'));
  expect(await screen.findByText('This file is empty.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Check file' }).hasAttribute('disabled')).toBe(true);
  const message = 'The file has the heading "email" twice.';
  served.replies['POST /api/employees/import'] = { status: 422, body: { message, errors: { file: [message] } } };
  await user.upload(field, people('staff.csv'));
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  expect(await screen.findByText(message)).toBeDefined();
  expect(screen.getByText('staff.csv')).toBeDefined();
  expect(served.to('POST /api/employees/import')).toHaveLength(1);
});

test('a user who may not import sees why, with a link back', async () => {
  const served = serve({ 'GET /api/me': signedInAs(['employees.view']) });
  start('/imports/new');
  expect(await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to home' })).toBeDefined();
  expect(served.asked.map(({ path }) => path)).not.toContain('/api/employees/imports');
});

test('a file is read by a profile, whose date format and status apply', async () => {
  const served = service();
  served.replies['GET /api/employees/import-profiles'] = listOf([
    { id: 7, name: 'Payroll office', entity: { id: 1, name: 'Acme Foods Ltd' }, allowed_actions: ['delete'] },
  ]);
  const { user, where } = start('/imports/new');
  await user.upload(await screen.findByLabelText(/^Drop the file here/), people('staff.csv'));
  const choice = await screen.findByRole('combobox', { name: 'Use an import profile' });
  await user.selectOptions(choice, 'Payroll office · Acme Foods Ltd');
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(where()).toBe('/imports/41'));
  const { body } = served.to('POST /api/employees/import')[0] ?? {};
  expect(body).toMatchObject({ profile_id: '7', defaults: '{"entity_id":1}' });
  expect(Object.keys(body as object)).not.toContain('date_format');
});

test('a profile is deleted after a question', async () => {
  const served = service();
  served.replies['GET /api/employees/import-profiles'] = listOf([
    { id: 7, name: 'Payroll office', entity: { id: 1, name: 'Acme Foods Ltd' }, allowed_actions: ['delete'] },
  ]);
  served.replies['DELETE /api/employees/import-profiles/7'] = { status: 204 };
  const { user } = start('/imports/new');
  const choice = await screen.findByRole('combobox', { name: 'Use an import profile' });
  await user.selectOptions(choice, 'Payroll office · Acme Foods Ltd');
  await user.click(screen.getByRole('button', { name: 'Delete profile' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the profile “Payroll office”?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete profile' }));
  await waitFor(() => expect(served.to('DELETE /api/employees/import-profiles/7')).toHaveLength(1));
});
