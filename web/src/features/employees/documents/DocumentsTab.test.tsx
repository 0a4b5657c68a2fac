import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/employees/57/attachments';
const file = {
  id: 880,
  employee_id: 57,
  category: 'contract',
  title: 'Contract',
  visibility: 'employee',
  file_name: 'contract.pdf',
  mime_type: 'application/pdf',
  size: 182_044,
  checksum: 'a'.repeat(64),
  uploaded_by: { user_id: 7, name: 'Hana Ito' },
  download_url: `${path}/880/download`,
  scan_status: 'clean',
  revision: 1,
  created_at: '2026-02-02T10:00:00.000Z',
  updated_at: '2026-02-02T10:00:00.000Z',
  allowed_actions: ['update', 'delete'],
};
const infected = { ...file, id: 881, title: 'Letter', scan_status: 'infected', allowed_actions: [] };

const open = (replies: Parameters<typeof serve>[0] = {}, allowed: readonly string[] = ['update', 'add-file']) => {
  const service = serve({
    'GET /api/me': signedInAs(['employees.view', 'employees.update']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': itemOf({ ...complete, allowed_actions: allowed }),
    [`GET ${path}`]: listOf([file, infected]),
    [`DELETE ${path}/880`]: { status: 204 },
    ...replies,
  });
  return { service, ...start('/employees/57?tab=documents') };
};

const chosen = (name: string, content: BlobPart = 'a,b') => new File([content], name);
const add = async (user: ReturnType<typeof start>['user'], ...files: File[]) =>
  user.upload(await screen.findByLabelText(/Drop files here/), files);

test('a file that would be refused shows its error at once, and only the others are sent', async () => {
  const { service, user } = open({ [`POST ${path}`]: { ...itemOf(file), status: 201 } });
  // the browser filters chosen files by extension, but not dropped ones
  fireEvent.change(await screen.findByLabelText(/Drop files here/), {
    target: { files: [chosen('people.csv'), chosen('tool.exe'), chosen('empty.pdf', '')] },
  });
  await screen.findByText(/^This file type isn’t supported/);
  screen.getByText('This file is empty.');
  const list = screen.getByRole('list', { name: 'Selected files' });
  const title = within(list).getByLabelText<HTMLInputElement>('Title');
  expect(title.value).toBe('people');
  await user.selectOptions(within(list).getByLabelText('Type'), 'Letter');
  await user.click(screen.getByRole('button', { name: 'Upload 1 file' }));
  await screen.findByText('1 file was added.');
  const [sent] = service.to(`POST ${path}`);
  expect(sent?.body).toMatchObject({ title: 'people', category: 'letter', visibility: 'hr_only' });
  expect(sent?.headers.get('X-XSRF-TOKEN')).toBe('gtoken');
  expect(within(list).getAllByRole('listitem')).toHaveLength(2);
});

test('the title of a file with a long name ends with a whole character', async () => {
  const { user } = open();
  await add(user, chosen(`${'x'.repeat(149)}🦊🦊.pdf`));
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe(`${'x'.repeat(149)}🦊`);
});

test('a refused file shows the reason and can be sent again', async () => {
  const { user } = open({
    [`POST ${path}`]: { status: 422, body: { message: 'No.', errors: { file: ['The file is one too many.'] } } },
  });
  await add(user, chosen('people.csv'));
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));
  await screen.findByText('The file is one too many.');
  await user.click(screen.getByRole('button', { name: 'Remove people.csv' }));
  expect(screen.queryByText('The file is one too many.')).toBeNull();
});

test('deleting a file moves the focus to the one that follows', async () => {
  const { user } = open({ [`GET ${path}`]: listOf([file, infected, { ...file, id: 882, title: 'Diploma' }]) });
  await user.click(await screen.findByRole('button', { name: 'Delete Contract' }));
  expect(screen.queryByRole('button', { name: 'Delete Contract' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Diploma' }));
});

test('a deleted file disappears at once, and undo restores it', async () => {
  const { service, user } = open();
  await user.click(await screen.findByRole('button', { name: 'Delete Contract' }));
  expect(screen.queryByRole('button', { name: 'Delete Contract' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('button', { name: 'Delete Contract' });
  expect(service.to(`DELETE ${path}/880`)).toHaveLength(0);
});

test('the delete request is sent when the time to undo is over, and when the page is left', async () => {
  const { service, user } = open();
  await user.click(await screen.findByRole('button', { name: 'Delete Contract' }));
  expect(service.to(`DELETE ${path}/880`)).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(service.to(`DELETE ${path}/880`)).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: 'Delete Contract' }));
  fireEvent(window, new Event('pagehide'));
  await waitFor(() => expect(service.to(`DELETE ${path}/880`)).toHaveLength(2));
});

test('a file that could not be deleted reappears with a message', async () => {
  const { user } = open({ [`DELETE ${path}/880`]: { status: 403, body: { message: 'Forbidden.' } } });
  await user.click(await screen.findByRole('button', { name: 'Delete Contract' }));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(await screen.findByText('Couldn’t delete Contract.')).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Delete Contract' })).toBeDefined();
});

test('title and visibility can be changed, and a blocked file has no actions', async () => {
  const { service, user } = open({ [`PUT ${path}/880`]: itemOf({ ...file, revision: 2 }) });
  await user.click(await screen.findByRole('button', { name: 'Edit Contract' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit: Contract' });
  await user.selectOptions(within(dialog).getByLabelText('Visible to'), 'HR only');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(service.to(`PUT ${path}/880`)[0]?.body).toEqual({
    title: 'Contract',
    category: 'contract',
    visibility: 'hr_only',
    revision: 1,
  });
  screen.getByText('Blocked: virus found');
  expect(screen.queryByRole('link', { name: 'Download Letter' })).toBeNull();
});

test('a picture is read with the session and shown from memory', async () => {
  const created = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:here');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  const picture = { ...file, mime_type: 'image/png', title: 'Badge' };
  const { user } = open({ [`GET ${path}`]: listOf([picture]), [`GET ${path}/880/download`]: { body: 'x' } });
  await user.click(await screen.findByRole('button', { name: 'Preview Badge' }));
  const shown = await screen.findByRole<HTMLImageElement>('img', { name: 'Badge' });
  expect(shown.src).toBe('blob:here');
  expect(created).toHaveBeenCalledTimes(1);
});

test('a user who may not change the person has read access only', async () => {
  open({ [`GET ${path}`]: listOf([]) }, []);
  await screen.findByText('No documents are shared with you.');
  expect(screen.queryByLabelText(/Drop files here/)).toBeNull();
});

test('a user who may change a record and add no file to it, such as the own one, gets no field for files', async () => {
  open({ 'GET /api/me': signedInAs(['employees.view', 'employees.update'], { employee_id: 57 }) }, ['update']);
  await screen.findByRole('button', { name: 'Delete Contract' });
  expect(screen.queryByLabelText(/Drop files here/)).toBeNull();
});
