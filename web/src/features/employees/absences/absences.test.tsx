import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fillDay } from '../../../testing/acts.ts';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const lena = {
  ...complete,
  private_details: 'on_request',
  allowed_actions: ['absences', 'probation-pause'],
  absence: { first_day: '2026-11-01', last_day: '2026-11-30' },
  today: '2026-11-22', // in the company of the person
};
const current = {
  id: 7,
  employee_id: 57,
  first_day: '2026-11-01',
  last_day: '2026-11-30',
  state: 'current',
  revision: 3,
  created_at: '2026-10-01T00:00:00.000Z',
  updated_at: '2026-10-01T00:00:00.000Z',
  allowed_actions: ['update', 'end', 'delete'],
};
const planned = {
  ...current,
  id: 8,
  first_day: '2027-02-01',
  last_day: null,
  state: 'planned',
  allowed_actions: ['update', 'delete'],
};
const list = '/api/employees/57/absences';

const open = (rows: readonly object[] = [planned, current], employee: object = lena) => {
  const served = serve({
    'GET /api/me': signedInAs(['employees.view', 'employees.update']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': itemOf(employee),
    'GET /api/employees/57/job-history': listOf([]),
    [`GET ${list}`]: ({ url }: { url: URL }) =>
      listOf(rows.map((row) => (url.searchParams.has('reveal') ? { ...row, absence_reason: 'Parental leave' } : row))),
  });
  return { served, ...start('/employees/57?tab=job') };
};
const dialogOf = async (name: RegExp) => within(await screen.findByRole('dialog', { name }));

test('the header says until when a person is away, and the list has every absence', async () => {
  open();
  expect(await screen.findByText('Absent until 30 Nov 2026')).toBeTruthy();
  const part = within(await screen.findByRole('region', { name: 'Absences' }));
  expect(part.getByText('until further notice', { exact: false })).toBeTruthy();
  expect(part.getAllByRole('listitem')).toHaveLength(2);
  expect(part.getAllByRole('button', { name: /^End…/ })).toHaveLength(1);
});

test('an absence is recorded from the menu of the job, with an open end; a refusal is at its field', async () => {
  const { served, user } = open([]);
  const message = 'These days overlap with the absence from 1 November 2026.';
  served.replies[`POST ${list}`] = { status: 422, body: { message, errors: { first_day: [message] } } };
  await user.click(await screen.findByRole('button', { name: 'Record absence…' }));
  const dialog = await dialogOf(/^Record Lena Park’s absence/);
  fillDay(dialog.getByRole('textbox', { name: /First day/ }), '2026-11-20');
  await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Parental leave');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(message)).toBeTruthy();
  expect(served.to(`POST ${list}`)[0]?.body).toEqual({
    first_day: '2026-11-20',
    last_day: null,
    absence_reason: 'Parental leave',
  });
  served.replies[`POST ${list}`] = itemOf({ ...current, first_day: '2026-11-20' });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The absence was saved.')).toBeTruthy();
});

test('an absence ends with the first day back, and the end can be undone', async () => {
  const { served, user } = open();
  served.replies[`POST ${list}/7/end`] = itemOf({ ...current, last_day: '2026-11-22', state: 'past' });
  served.replies[`PUT ${list}/7`] = itemOf(current);
  await user.click(await screen.findByRole('button', { name: /^End…/ }));
  const dialog = await dialogOf(/^End Lena Park’s absence/);
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /First day back/ }).value).toBe('22 Nov 2026');
  fillDay(dialog.getByRole('textbox', { name: /First day back/ }), '2026-11-23');
  await user.click(dialog.getByRole('button', { name: 'End absence' }));
  await waitFor(() => expect(served.to(`POST ${list}/7/end`)[0]?.body).toEqual({ back_on: '2026-11-23', revision: 3 }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to(`PUT ${list}/7`)[0]?.body).toEqual({ last_day: '2026-11-30' }));
});

test('a deleted absence comes back with Undo as it was, with the reason that is not shown', async () => {
  const { served, user } = open();
  await user.click(await screen.findByRole('button', { name: /^Delete.*2027/ }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Delete.*2027/ })).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: /^Delete.*2027/ })).toBeTruthy();
  expect(served.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('an absence is deleted once the time to undo is over', async () => {
  const { served, user } = open();
  served.replies[`DELETE ${list}/8`] = { status: 204 };
  await user.click(await screen.findByRole('button', { name: /^Delete.*2027/ }));
  const toast = (await screen.findByText('The absence was deleted.')).parentElement as HTMLElement;
  await user.click(within(toast).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(served.to(`DELETE ${list}/8`)).toHaveLength(1));
});

test('absences that cannot be read say so, and are tried again', async () => {
  const { served, user } = open();
  served.replies[`GET ${list}`] = { status: 500, body: { message: 'x' } };
  await user.click(await screen.findByRole('tab', { name: 'Overview' }));
  await user.click(await screen.findByRole('tab', { name: 'Job' }));
  const part = within(await screen.findByRole('region', { name: 'Absences' }));
  served.replies[`GET ${list}`] = listOf([planned]);
  await user.click(await part.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('until further notice', { exact: false })).toBeTruthy();
});

test('reasons are shown on request', async () => {
  const { user } = open([current]);
  const show = await screen.findByRole('button', { name: 'Show reasons' });
  expect(screen.queryByText('Parental leave')).toBeNull();
  await user.click(show);
  expect(await screen.findByText('Parental leave')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Hide reasons' }));
  await waitFor(() => expect(screen.queryByText('Parental leave')).toBeNull());
});

test('the probation of a person who is away can be paused from here', async () => {
  const { user } = open([current]);
  await user.click(await screen.findByRole('button', { name: 'Pause probation…' }));
  expect(await screen.findByRole('dialog', { name: /^Pause Lena Park’s probation/ })).toBeTruthy();
});

test('without absences and without the right to record them, nothing is shown', async () => {
  const { served } = open([], { ...complete, allowed_actions: [] });
  await waitFor(() => expect(served.to(`GET ${list}`)).toHaveLength(1));
  expect(screen.queryByRole('region', { name: 'Absences' })).toBeNull();
});
