import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const hr = [
  'employees.view',
  'employees.export',
  'employees.create',
  'employees.update',
  'employees.deactivate',
  'entities.view',
  'departments.view',
];

const service = () =>
  serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/employees': ({ url }) => {
      const day = url.searchParams.get('as_of');
      const as_of = { date: day, source: 'entered', effective_from: '2030-01-01', planned: day === '2030-06-01' };
      return listOf([day ? { ...complete, job_title: 'Trainee', as_of, allowed_actions: [] } : complete]);
    },
    'GET /api/saved-views': listOf([]),
    'GET /api/planned-changes': listOf([]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/departments': listOf([{ id: 4, name: 'Purchasing' }]),
    'GET /api/roles': listOf([]),
    'GET /api/employees/57': ({ url }) => {
      const as_of = {
        date: url.searchParams.get('as_of'),
        source: 'entered',
        effective_from: '2019-01-01',
        planned: false,
      };
      return itemOf({ ...complete, job_title: 'Trainee', as_of, allowed_actions: [] });
    },
  });
const asked = (served: ReturnType<typeof service>) =>
  Object.fromEntries(
    served
      .to('GET /api/employees')
      .filter(({ query }) => query.get('per_page') !== '1')
      .at(-1)?.query ?? [],
  );

test('the directory as of a day has a banner, no actions, and the filters of the day only', async () => {
  const served = service();
  start('/employees?as_of=2020-02-01&department_id=4&activity_status=active&left=1');
  expect(await screen.findByText('Employees as of 1 February 2020')).toBeTruthy();
  expect(asked(served)).toEqual({ as_of: '2020-02-01', department_id: '4' });
  expect(screen.getByText('Trainee')).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('group', { name: 'Status' })).toBeNull();
  for (const action of ['Add employee', 'Import', `Actions for ${complete.display_name}`])
    expect(screen.queryByRole('button', { name: action }) ?? screen.queryByRole('link', { name: action })).toBeNull();
  expect(screen.getByRole('button', { name: /Export/ })).toBeTruthy();
});

test('from the banner the list of today is shown again, with the other filters', async () => {
  const served = service();
  const { user, where } = start('/employees?as_of=2020-02-01&department_id=4');
  await user.click(await screen.findByRole('button', { name: 'Back to today' }));
  await waitFor(() => expect(where()).toBe('/employees?department_id=4'));
  await waitFor(() => expect(asked(served)).toEqual({ department_id: '4' }));
  expect(screen.queryByText(/^Employees as of/)).toBeNull();
  expect(screen.getAllByRole('checkbox').length).toBeGreaterThan(0);
});

test('a day is chosen among the filters, and takes those of today away', async () => {
  const served = service();
  const { user, where } = start('/employees?left=1&employment_type=intern');
  await user.click(await screen.findByRole('button', { name: /^More filters/ }));
  await user.type(await screen.findByRole('textbox', { name: 'As of' }), '1 Feb 2020{Enter}');
  await waitFor(() => expect(where()).toContain('as_of=2020-02-01'));
  expect(where()).not.toContain('left');
  await waitFor(() => expect(asked(served)).toEqual({ as_of: '2020-02-01', employment_type: 'intern' }));
  await screen.findByText('Employees as of 1 February 2020');
  expect(screen.queryByRole('switch', { name: 'Deleted employees only' })).toBeNull();
});

test('a person opens as of that day', async () => {
  const served = service();
  const { user, where } = start('/employees?as_of=2020-02-01');
  await user.click(await screen.findByRole('link', { name: complete.display_name }));
  await waitFor(() => expect(where()).toBe('/employees/57?as_of=2020-02-01'));
  expect(await screen.findByText('Record as of 1 February 2020')).toBeTruthy();
  expect(served.to('GET /api/employees/57').every(({ query }) => query.get('as_of') === '2020-02-01')).toBe(true);
});

test('a day to come says so, and marks planned jobs', async () => {
  service();
  start('/employees?as_of=2030-06-01');
  const banner = (await screen.findByText('Employees as of 1 June 2030')).closest('output') as HTMLElement;
  expect(within(banner).getByText(/^This day is still to come/)).toBeTruthy();
  expect(await screen.findByText(/planned/i, { selector: '.visually-hidden' })).toBeTruthy();
});

test('another day is typed in the banner letter by letter', async () => {
  service();
  const { user, where } = start('/employees?as_of=2020-02-01');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Day' });
  await user.clear(field);
  await user.type(field, '15 Mar 2021{Enter}');
  await waitFor(() => expect(where()).toBe('/employees?as_of=2021-03-15'));
  expect(await screen.findByText('Employees as of 15 March 2021')).toBeTruthy();
  expect(field.value).toBe('15 Mar 2021');
});

test('a day on which no one was employed says so, and offers no import', async () => {
  const served = service();
  served.replies['GET /api/employees'] = listOf([]);
  start('/employees?as_of=1950-02-01');
  expect(await screen.findByRole('heading', { name: 'No employees on this day' })).toBeTruthy();
  expect(screen.queryByText(/^Import a CSV/)).toBeNull();
});
