import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { wholeDashboard } from '../../testing/dashboard.ts';
import { itemOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const as_of = '2026-04-18T14:30:00.000Z';
const month = (name: string, headcount: number, joiners: number, leavers: number) => ({
  month: name,
  headcount,
  joiners,
  leavers,
  rehires: 0,
  moved_in: 0,
  moved_out: 0,
});
const entity = { id: 1, name: 'Acme Foods' };
const cycle = (id: number, name: string, evaluations: number, average_percentage: number | null) => ({
  id,
  name,
  end_date: '2026-03-31',
  evaluations,
  results: evaluations,
  average_percentage,
});
const cycles = [cycle(10, 'Pilot', 4, null), cycle(9, 'Q1 2026', 118, 78.4), cycle(6, 'Q4 2025', 110, 75)];
const headCount = (day: string) => ({
  as_of: day,
  total: 3,
  by_entity: [{ ...entity, count: 3 }],
  by_department: [
    { id: 4, name: 'Purchasing', entity, count: 2 },
    { id: 5, name: 'Sales', entity, count: 1 },
  ],
  by_employment_type: { full_time: 3, part_time: 0, contract: 0, intern: 0, consultant: 0 },
});
const service = () =>
  serve({
    'GET /api/me': signedInAs(['dashboard.view_all', 'employees.view', 'kpi-evaluation.view', 'probation-review.view']),
    'GET /api/dashboard': itemOf(wholeDashboard),
    'GET /api/reports/movement': itemOf({
      as_of,
      today: '2026-04-18',
      months: [month('2026-02', 148, 2, 0), month('2026-03', 147, 0, 1), month('2026-04', 150, 4, 1)],
      departments: [
        { id: 4, name: 'Purchasing', entity, headcount: 18, joiners: 3, leavers: 2, turnover_pct: 11.43 },
        { id: 5, name: 'Sales', entity, headcount: 30, joiners: 0, leavers: 0, turnover_pct: 0 },
      ],
    }),
    'GET /api/employees/head-count': ({ url }) => itemOf(headCount(url.searchParams.get('as_of') ?? '')),
    'GET /api/reports/kpi-cycles': itemOf({ as_of, cycles }),
    'GET /api/reports/probation-outcomes': itemOf({
      as_of,
      today: '2026-04-18',
      outcomes: { confirm: 6, extend: 1, terminate: 0 },
      extension_rate_pct: 14.29,
      departments: [{ id: 4, name: 'Purchasing', entity, outcomes: { confirm: 6, extend: 1, terminate: 0 } }],
    }),
  });

const chart = async (name: string) => within(await screen.findByRole('region', { name }, { timeout: 8_000 }));

test('headcount and movement are a chart with keyboard navigation and a table with links to the people', async () => {
  service();
  const { user } = start('/reports');
  const movement = await chart('Headcount over time');
  expect(
    movement.getByText(/^Headcount went from 146 \(before February 2026\) to 150 \(April 2026\): 6 joined and 2 left/),
  ).toBeTruthy();
  const slider = movement.getByRole('slider', { name: 'Headcount over time' });
  expect(slider.getAttribute('aria-valuetext')).toBe('April 2026: Headcount 150, Joined 4, Left 1');
  await user.click(movement.getByRole('button', { name: 'Table: Headcount over time' }));
  const row = within(movement.getByRole('row', { name: /March 2026/ }));
  expect(row.getByRole('link', { name: '1' }).getAttribute('href')).toBe(
    '/employees?left_from=2026-03-01&left_to=2026-03-31',
  );
});

test('the numbers of a chart can be downloaded as a file', async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`);
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  service();
  const { user } = start('/reports');
  const turnover = await chart('12-month turnover by department');
  expect(
    turnover.getByText(/^Purchasing has the highest turnover of the departments with at least 5 people: 11.4%/),
  ).toBeTruthy();
  expect(turnover.getByRole('listitem').textContent).toContain('11.4% Purchasing2 left');
  await user.click(turnover.getByRole('button', { name: 'CSV: 12-month turnover by department' }));
  expect(clicked).toHaveBeenCalledOnce();
  expect(await files[0]?.text()).toBe(
    '"Department","Headcount","Joined","Left","Turnover (%)"\r\n"Purchasing · Acme Foods",18,3,2,11.43\r\n"Sales · Acme Foods",30,0,0,0\r\n',
  );
  vi.restoreAllMocks();
});

test('a date is requested once its year is complete, and going back is one step', async () => {
  const { to } = service();
  const { where, router } = start('/reports');
  await chart('Headcount over time');
  const from = screen.getByLabelText<HTMLInputElement>('From');
  for (const value of ['0002-03-01', '0020-03-01', '0202-03-01']) {
    fireEvent.change(from, { target: { value } });
    expect(from.value).toBe(value);
    expect(where()).toBe('/reports');
  }
  fireEvent.change(from, { target: { value: '2026-03-01' } });
  await waitFor(() => expect(where()).toBe('/reports?from=2026-03-01'));
  await waitFor(() => expect(to('GET /api/reports/movement').at(-1)?.query.get('from')).toBe('2026-03-01'));
  const asked = to('GET /api/reports/movement').map(({ query }) => query.get('from'));
  expect(new Set(asked)).toEqual(new Set([null, '2026-03-01']));
  await act(async () => router.history.back());
  expect(where()).toBe('/reports');
  await waitFor(() => expect(from.value).toBe(''));
});

test('reports are requested for the company and the days in the address', async () => {
  const { to } = service();
  start('/reports?entity_id=2&from=2026-01-01&to=2026-03-31');
  const outcomes = await chart('Probation outcomes');
  expect(outcomes.getByRole('link', { name: '1 Extended' }).getAttribute('href')).toBe(
    '/probation?tab=all&status=approved&entity_id=2&outcome=extend&decided_from=2026-01-01&decided_to=2026-03-31',
  );
  await chart('Headcount over time');
  expect(Object.fromEntries(to('GET /api/reports/movement').at(-1)?.query ?? [])).toEqual({
    entity_id: '2',
    from: '2026-01-01',
    to: '2026-03-31',
  });
});

test('the last cycles are compared in words, and a newer pilot that is not shown is named', async () => {
  service();
  const { user } = start('/reports');
  const results = await chart('KPI results across cycles');
  expect(results.getByText(/^Q1 2026: 78.4% on average, compared with 75% in Q4 2025/)).toBeTruthy();
  expect(results.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Q4 202575% Q4 2025110 results',
    'Q1 202678.4% Q1 2026118 results',
  ]);
  expect(
    screen.getByText(/^Pilot is newer, but has only 4 evaluations. You see Q1 2026 with 118 evaluations/),
  ).toBeTruthy();
  await user.click(results.getByRole('button', { name: 'Table: KPI results across cycles' }));
  expect(within(results.getByRole('row', { name: /Pilot/ })).getByText('–')).toBeTruthy();
});

test('a cycle that was selected is no surprise', async () => {
  service();
  start('/reports?cycle_id=9');
  await chart('KPI results across cycles');
  expect(screen.queryByText(/^Pilot is newer/)).toBeNull();
});

test('the headcount of any day has links to the directory as of that day', async () => {
  const served = service();
  const { user, where } = start('/reports?entity_id=1');
  const byDepartment = await chart('Headcount by department');
  expect(served.to('GET /api/employees/head-count').at(-1)?.query.get('as_of')).toBe(wholeDashboard.today);
  const field = screen.getByRole('textbox', { name: 'Headcount on' });
  await user.clear(field);
  await user.type(field, '1 Feb 2020{Enter}');
  await waitFor(() => expect(where()).toBe('/reports?entity_id=1&as_of=2020-02-01'));
  expect(await byDepartment.findByText('3 people employed on 1 February 2020.')).toBeTruthy();
  expect(byDepartment.getByRole('link', { name: /^2 Purchasing/ }).getAttribute('href')).toBe(
    '/employees?entity_id=1&as_of=2020-02-01&department_id=4',
  );
  expect(served.to('GET /api/employees/head-count').at(-1)?.query.get('entity_id')).toBe('1');
});

test('a user without reports reads that once, and the service is not asked', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedInAs(['employees.view']);
  start('/reports');
  await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' });
  expect(screen.queryByText('Headcount by company')).toBeNull();
  expect(served.to('GET /api/reports/movement')).toEqual([]);
});
