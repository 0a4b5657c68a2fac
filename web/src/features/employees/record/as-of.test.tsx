import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const service = () =>
  serve({
    'GET /api/me': signedInAs(['employees.view']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': ({ url }) => {
      const day = url.searchParams.get('as_of');
      if (day === '1999-01-01')
        return {
          status: 422,
          body: { message: 'No job is known for that day.', errors: { as_of: ['No job is known for that day.'] } },
        };
      if (!day) return itemOf(complete);
      const as_of = { date: day, source: 'assumed', effective_from: '2015-01-01' };
      return itemOf({ ...complete, job_title: 'Trainee', as_of, allowed_actions: [] });
    },
    'GET /api/employees/57/job-history': listOf([]),
  });

test('a record as of a day has a banner with the day, from which today is shown again', async () => {
  const served = service();
  const { user, where } = start('/employees/57?as_of=2020-02-01');
  const banner = within((await screen.findByText('Record as of 1 February 2020')).closest('output') as HTMLElement);
  expect(banner.getByText(/^This job is assumed/)).toBeTruthy();
  expect(screen.getAllByText(/Trainee/).length).toBeGreaterThan(0);
  expect(served.to('GET /api/employees/57').at(-1)?.query.get('as_of')).toBe('2020-02-01');
  await user.click(banner.getByRole('button', { name: 'Back to today' }));
  await waitFor(() => expect(where()).toBe('/employees/57'));
  await waitFor(() => expect(screen.queryByText(/^Record as of/)).toBeNull());
});

test('a day is still to come by the day at the company', async () => {
  const served = service();
  const planned = { date: '2020-02-01', source: 'entered', effective_from: '2015-01-01' };
  for (const [today, notices] of [
    ['2020-01-31', 1],
    ['2020-02-01', 0],
  ] as const) {
    served.replies['GET /api/employees/57'] = itemOf({ ...complete, today, as_of: planned, allowed_actions: [] });
    start('/employees/57?as_of=2020-02-01');
    await screen.findByText('Record as of 1 February 2020');
    expect(screen.queryAllByText(/^This day is still to come/)).toHaveLength(notices);
    cleanup();
  }
});

test('a day without a known job says so, and another day can be chosen', async () => {
  service();
  start('/employees/57?as_of=1999-01-01');
  expect(await screen.findByText('Record as of 1 January 1999')).toBeTruthy();
  expect(screen.getByText('No job is known for that day.')).toBeTruthy();
  const name = (await screen.findByRole('heading', { level: 1 })).textContent;
  expect(name).toBe(complete.display_name);
  expect(document.title).toBe(`${name} · Tenure`);
  expect(screen.getByRole('button', { name: 'Back to today' })).toBeTruthy();
});

test('a record as of a day that cannot be read is tried again', async () => {
  const served = service();
  const known = served.replies['GET /api/employees/57'];
  served.replies['GET /api/employees/57'] = { status: 500, body: { message: 'x' } };
  const { user } = start('/employees/57?as_of=2020-02-01');
  const again = await screen.findByRole('button', { name: 'Try again' });
  if (known) served.replies['GET /api/employees/57'] = known;
  await user.click(again);
  expect((await screen.findAllByText(/Trainee/)).length).toBeGreaterThan(0);
});
