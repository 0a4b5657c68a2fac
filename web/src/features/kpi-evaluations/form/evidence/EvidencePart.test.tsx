import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fill } from '../../../../testing/acts.ts';
import { evaluation, evaluationItem, unwritten } from '../../../../testing/evaluations.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../../testing/service.ts';
import { start } from '../../../../testing/start.tsx';

const path = '/api/kpi-evaluations/9/evidence';
const evidence = {
  id: 70,
  evaluation_id: 9,
  item_id: 11,
  stage: 'self',
  note: null,
  url: null,
  file_name: 'orders.pdf',
  mime_type: 'application/pdf',
  size: 20_480,
  checksum: 'a'.repeat(64),
  uploaded_by: { user_id: 7, name: 'Lena Park' },
  download_url: `${path}/70/download`,
  scan_status: 'clean',
  revision: 1,
  created_at: '2026-02-02T10:00:00.000Z',
  updated_at: '2026-02-02T10:00:00.000Z',
  allowed_actions: ['delete'],
};

const open = (shown: readonly object[], replies: Parameters<typeof serve>[0] = {}, allowed = ['update']) => {
  const items = [evaluationItem({ ...unwritten, evidence_required: true })];
  const service = serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view'], { employee_id: 57 }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/kpi-evaluations/9': itemOf(evaluation({ items, allowed_actions: allowed })),
    [`GET ${path}`]: listOf(shown),
    ...replies,
  });
  return { service, ...start('/kpi/evaluations/9') };
};

test('required evidence is requested, and a link is added to the item', async () => {
  const { service, user } = open([], { [`POST ${path}`]: { ...itemOf(evidence), status: 201 } });
  await screen.findByText('Required before you submit');
  await user.click(screen.getByRole('button', { name: 'Link' }));
  await user.type(screen.getByLabelText('Link address'), 'intranet.example/orders');
  await user.click(screen.getByRole('button', { name: 'Add link' }));
  await waitFor(() =>
    expect(service.to(`POST ${path}`)[0]?.body).toEqual({
      item_id: 11,
      url: 'https://intranet.example/orders',
      note: null,
    }),
  );
});

test('a file is sent as soon as it is chosen; one that would be refused shows its error and is not sent', async () => {
  const { service } = open([], { [`POST ${path}`]: { ...itemOf(evidence), status: 201 } });
  fireEvent.change(await screen.findByLabelText(/Drop files here/), {
    target: { files: [new File(['x'], 'tool.exe'), new File(['a,b'], 'orders.csv')] },
  });
  await screen.findByText(/^This file type isn’t supported/);
  await waitFor(() => expect(service.to(`POST ${path}`)).toHaveLength(1));
  expect(service.to(`POST ${path}`)[0]?.body).toMatchObject({ item_id: '11' });
});

test('deleted evidence disappears at once, and undo restores it', async () => {
  const { service, user } = open([evidence]);
  await user.click(await screen.findByRole('button', { name: 'Delete orders.pdf' }));
  expect(screen.queryByRole('link', { name: 'Download orders.pdf' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('link', { name: 'Download orders.pdf' });
  expect(service.to(`DELETE ${path}/70`)).toHaveLength(0);
});

test('deleting evidence moves the focus to the piece that follows', async () => {
  const { user } = open([evidence, { ...evidence, id: 71, file_name: 'visits.pdf' }]);
  await user.click(await screen.findByRole('button', { name: 'Delete orders.pdf' }));
  expect(screen.queryByRole('link', { name: 'Download orders.pdf' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete visits.pdf' }));
});

test('a read-only user cannot add evidence, and a blocked file is not offered', async () => {
  open([{ ...evidence, scan_status: 'infected', allowed_actions: [] }], {}, []);
  await screen.findByText('Blocked: contains a virus');
  expect(screen.queryByRole('link', { name: 'Download orders.pdf' })).toBeNull();
  expect(screen.queryByLabelText(/Drop files here/)).toBeNull();
});

test('a note is added to the item, and its field is cleared', async () => {
  const { service, user } = open([], { [`POST ${path}`]: { ...itemOf(evidence), status: 201 } });
  await user.click(await screen.findByRole('button', { name: 'Note' }));
  const add = screen.getByRole('button', { name: 'Add note' });
  expect(add).toHaveProperty('disabled', true);
  fill(screen.getByLabelText('Note', { selector: 'textarea' }), ' Agreed on the phone. ');
  await user.click(add);
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLTextAreaElement>('Note', { selector: 'textarea' }).value).toBe(''),
  );
  expect(service.to(`POST ${path}`)[0]?.body).toEqual({ item_id: 11, note: 'Agreed on the phone.' });
});

test('a refused link stays in its field with the reason', async () => {
  const errors = { url: ['The link field must begin with https://.'] };
  const { user } = open([], { [`POST ${path}`]: { status: 422, body: { message: 'No.', errors } } });
  await user.click(await screen.findByRole('button', { name: 'Link' }));
  fill(screen.getByLabelText('Link address'), 'ftp://files.example');
  fill(screen.getByLabelText('What the link shows'), 'All orders');
  await user.click(screen.getByRole('button', { name: 'Add link' }));
  await screen.findByText('The link field must begin with https://.');
  expect(screen.getByLabelText<HTMLInputElement>('Link address').value).toBe('ftp://files.example');
  expect(screen.getByLabelText<HTMLTextAreaElement>('What the link shows').value).toBe('All orders');
});

test('a failed upload stays on the list with the reason until it is removed', async () => {
  const { user } = open([], { [`POST ${path}`]: { status: 503, body: { message: 'Away.' } } });
  fireEvent.change(await screen.findByLabelText(/Drop files here/), {
    target: { files: [new File(['a,b'], 'orders.csv')] },
  });
  const list = await screen.findByRole('list', { name: 'Uploads' });
  await within(list).findByRole('alert');
  expect(within(list).queryByRole('progressbar')).toBeNull();
  await user.click(within(list).getByRole('button', { name: 'Remove orders.csv' }));
  expect(screen.queryByRole('list', { name: 'Uploads' })).toBeNull();
});

test('an upload that failed without an answer of the service can be sent again', async () => {
  const { service, user } = open([], { [`POST ${path}`]: { status: 503, body: { message: 'Away.' } } });
  fireEvent.change(await screen.findByLabelText(/Drop files here/), {
    target: { files: [new File(['a,b'], 'orders.csv')] },
  });
  const list = await screen.findByRole('list', { name: 'Uploads' });
  const again = await within(list).findByRole('button', { name: 'Try again' });
  service.replies[`POST ${path}`] = { ...itemOf(evidence), status: 201 };
  await user.click(again);
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Uploads' })).toBeNull());
  expect(service.to(`POST ${path}`)).toHaveLength(2);
});

test('a file that the service refused is not offered again', async () => {
  const errors = { file: ['The file must be a file of type: pdf.'] };
  open([], { [`POST ${path}`]: { status: 422, body: { message: 'No.', errors } } });
  fireEvent.change(await screen.findByLabelText(/Drop files here/), {
    target: { files: [new File(['a,b'], 'orders.csv')] },
  });
  await screen.findByText('The file must be a file of type: pdf.');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('evidence that couldn’t be deleted reappears with a message', async () => {
  const { service, user } = open([evidence], { [`DELETE ${path}/70`]: { status: 503, body: { message: 'Away.' } } });
  await user.click(await screen.findByRole('button', { name: 'Delete orders.pdf' }));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await screen.findByText('orders.pdf couldn’t be deleted.');
  expect(service.to(`DELETE ${path}/70`)).toHaveLength(1);
  await screen.findByRole('link', { name: 'Download orders.pdf' });
});

test('an item with ten pieces of evidence accepts no more', async () => {
  open(
    Array.from({ length: 10 }, (_, index) => ({ ...evidence, id: 70 + index, file_name: null, note: `No. ${index}` })),
  );
  await screen.findByText('You can add up to 10 items of evidence.');
  expect(screen.queryByLabelText(/Drop files here/)).toBeNull();
});
