import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { wholeDashboard } from '../../testing/dashboard.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const everything = [
  'dashboard.view_all',
  'employees.view',
  'entities.view',
  'kpi-evaluation.view',
  'probation-review.view',
  'departments.view',
];
const task = {
  id: 'kpi_hr_review:1',
  kind: 'kpi_hr_review',
  title: 'Check the review of Jon Reed',
  description: null,
  subject: { type: 'kpi_evaluation', id: 1 },
  employee: { id: 1, employee_number: 'A-1', name: 'Jon Reed' },
  due_date: '2026-04-20',
  priority: 'normal',
  created_at: '2026-04-01T08:00:00.000Z',
  url: '/kpi/evaluations/1',
  allowed_actions: [],
};

const months = [120, 130, 150].map((headcount, at) => ({
  month: `2026-0${at + 2}`,
  headcount,
  joiners: at,
  leavers: 0,
  rehires: 0,
  moved_in: 0,
  moved_out: 0,
}));

const service = (data: object, permissions: readonly string[] = everything, tasks: readonly object[] = [task]) =>
  serve({
    'GET /api/me': signedInAs(permissions, { employee_id: null }),
    'GET /api/dashboard': itemOf(data),
    'GET /api/actionable-items': listOf(tasks),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods' }]),
    'GET /api/reports/movement': itemOf({
      as_of: '2026-04-18T14:30:00.000Z',
      today: '2026-04-18',
      months,
      departments: [],
    }),
  });

/** The search parameters of the page that a figure links to. */
async function leadsTo(name: RegExp | string, within_: HTMLElement = document.body) {
  const link = await within(within_).findByRole('link', { name });
  const url = new URL(link.getAttribute('href') ?? '', 'http://tenure.test');
  return [url.pathname, Object.fromEntries(url.searchParams)];
}

test('an account without a person is not greeted by its address, which is said once', async () => {
  const address = 'it@acme.example';
  const { replies } = service(wholeDashboard);
  replies['GET /api/me'] = signedInAs(everything, { employee_id: null, email: address, name: address });
  start('/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Hello' })).toBeTruthy();
  expect(await screen.findAllByText(address)).toHaveLength(1);
});

test('tasks come first, then the figures, each with a link to what it counts', async () => {
  service(wholeDashboard);
  start('/');
  expect(await screen.findByRole('link', { name: 'Check the review of Jon Reed' })).toBeTruthy();
  expect(await leadsTo('HR review (20)')).toEqual(['/tasks', { kind: 'kpi_hr_review' }]);
  expect(await leadsTo('150 Headcount')).toEqual(['/employees', { activity_status: 'active,inactive', left: '0' }]);
  expect(await leadsTo('4 Joined this month')).toEqual([
    '/employees',
    { joined_from: '2026-04-01', joined_to: '2026-04-18' },
  ]);
  expect(await leadsTo('52 1–3 years')).toEqual([
    '/employees',
    { activity_status: 'active', joined_from: '2023-04-19', joined_to: '2025-04-18' },
  ]);
  expect(await leadsTo('6 Overdue')).toEqual(['/kpi/evaluations', { tab: 'all', cycle_id: '9', overdue: 'true' }]);
  expect(await leadsTo('1 Extended this quarter')).toEqual([
    '/probation',
    { tab: 'all', status: 'approved', outcome: 'extend', decided_from: '2026-04-01', decided_to: '2026-04-18' },
  ]);
  expect(await leadsTo('1 Department managers who can’t review')).toEqual([
    '/employees',
    { missing: 'review_permission' },
  ]);
  // zeros are muted or hidden
  for (const zero of ['Accounts without a role', 'Rehired this month', 'Ending within 7 days', 'No end date'])
    expect(screen.queryByText(zero)).toBeNull();
  const tiles = within(screen.getByRole('list', { name: 'Key figures' }));
  await waitFor(() => expect(tiles.getAllByRole('listitem')[0]?.querySelector('polyline')).not.toBeNull());
});

test('a chart has a description, and a table with the same data', async () => {
  service(wholeDashboard);
  const { user } = start('/');
  const chart = within(await screen.findByRole('region', { name: 'Active people by company' }));
  expect(chart.getByText('Acme Foods is the largest (70%).')).toBeTruthy();
  await user.click(chart.getByRole('button', { name: 'Table: Active people by company' }));
  const rows = within(chart.getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual(['CompanyPeople', 'Acme Foods100', 'Acme Retail42']);
});

test('one company is chosen for all figures, in the address', async () => {
  const { to } = service(wholeDashboard);
  const { user, where } = start('/');
  await user.click(await screen.findByRole('combobox', { name: 'Company' }));
  await user.click(await screen.findByRole('option', { name: 'Acme Retail', hidden: true }));
  expect(where()).toBe('/?entity_id=2');
  await expect.poll(() => to('GET /api/dashboard').at(-1)?.query.get('entity_id')).toBe('2');
  await expect.poll(() => leadsTo('142 Active')).toEqual(['/employees', { entity_id: '2', activity_status: 'active' }]);
});

test('a hidden figure is not shown', async () => {
  const { today, filters, my_work } = wholeDashboard;
  service({ today, filters, my_work: { ...my_work, by_kind: {} } }, ['employees.view'], []);
  start('/');
  expect(await screen.findByText('You’re all caught up.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'People' })).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Company' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Reports' })).toBeNull();
});

test('if the figures fail, the tasks are still shown, and a retry helps', async () => {
  const { replies } = service(wholeDashboard);
  replies['GET /api/dashboard'] = { status: 500, body: { message: 'Server Error', request_id: 'r1' } };
  const { user } = start('/');
  expect(await screen.findByRole('link', { name: 'Check the review of Jon Reed' })).toBeTruthy();
  replies['GET /api/dashboard'] = itemOf(wholeDashboard);
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: '150 Headcount' })).toBeTruthy();
});

test('if the tasks fail, the figures are still shown, and a retry helps', async () => {
  const { replies } = service(wholeDashboard);
  replies['GET /api/actionable-items'] = { status: 500, body: { message: 'Server Error', request_id: 'r1' } };
  const { user } = start('/');
  expect(await screen.findByRole('link', { name: '150 Headcount' })).toBeTruthy();
  replies['GET /api/actionable-items'] = listOf([task]);
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Check the review of Jon Reed' })).toBeTruthy();
});

const own = {
  id: 12,
  display_name: 'Hana Ito',
  job_title: 'Buyer',
  department: { id: 4, name: 'Buying' },
  reporting_manager: { id: 9, employee_number: 'A-9', name: 'Omar Diaz' },
  profile_picture_url: null,
  joining_date: '2025-11-03',
};
const me = {
  as_of: '2026-04-18T14:30:00.000Z',
  today: '2026-04-18',
  evaluation: { id: 31, status: 'self_assessment', due_on: '2026-04-30' },
  last_results: [{ cycle: { id: 8, name: 'Q4 2025' }, overall_percentage: 81.5, performance_flag: null }],
  probation: { end_date: '2026-05-02', status: null },
};
const profile = itemOf({ user: { locale: 'en', preferences: {} }, employee: own, roles: [], permissions: [] });
const scopeOf = (scope: string) => ({ role_assignments: [{ role_id: 1, role: 'R', scope, entity_ids: null }] });

test('an employee sees the own days, results and team, and links they may open', async () => {
  const { today, filters, my_work } = wholeDashboard;
  const { replies } = service({ today, filters, my_work: { ...my_work, by_kind: {} }, me }, ['employees.view'], []);
  replies['GET /api/profile'] = profile;
  const session = signedInAs(['employees.view'], scopeOf('own'));
  (session.body as { data: { directory?: boolean } }).data.directory = true;
  replies['GET /api/me'] = session;
  const card = { department: own.department, entity: { id: 1, name: 'Acme' }, email: '', profile_picture_url: null };
  const boss = { ...card, id: 9, name: 'Omar Diaz', job_title: 'Head', manager: null };
  const peer = { ...card, id: 13, name: 'Leo Berg', job_title: 'Buyer', manager: { id: 9, name: 'Omar Diaz' } };
  replies['GET /api/directory/12'] = itemOf({
    ...peer,
    id: 12,
    name: 'Hana Ito',
    managers: [boss],
    colleagues: [peer],
    colleagues_count: 1,
    reports: [],
    reports_count: 0,
  });
  start('/');
  const you = within(await screen.findByRole('region', { name: 'You' }));
  expect(you.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'KPI evaluation: Self-assessment30 Apr 2026',
    'End of probation2 May 2026',
    'Q4 2025: 81.5%',
    'Start date3 Nov 2025',
  ]);
  expect(you.getByRole('link', { name: 'Omar Diaz' }).getAttribute('href')).toBe('/directory/9');
  const team = within(screen.getByRole('region', { name: 'My team' }));
  expect(team.getByText('Your manager')).toBeDefined();
  expect(team.getByRole('link', { name: 'Leo Berg' }).getAttribute('href')).toBe('/directory/13');
  expect(screen.queryByRole('region', { name: 'People' })).toBeNull();
});

test('a manager sees the team with status, end of probation and open evaluation, and no chart of one bar', async () => {
  const { headcount, tenure, ...others } = wholeDashboard;
  const team = { ...headcount, by_entity: headcount.by_entity.slice(0, 1) };
  const { replies, to } = service({ ...others, headcount: team, tenure }, [
    'employees.view',
    'kpi-evaluation.view',
    'kpi-evaluation.review',
  ]);
  replies['GET /api/me'] = signedInAs(['employees.view', 'kpi-evaluation.view'], scopeOf('managed'));
  replies['GET /api/profile'] = profile;
  const active = { activity_status: 'active', profile_picture_url: null, job_title: 'Buyer' };
  replies['GET /api/employees'] = listOf([
    {
      ...active,
      id: 57,
      display_name: 'Lena Park',
      employment_lifecycle: 'probationary',
      probation_end_date: '2026-06-01',
    },
    { ...active, id: 58, display_name: 'Leo Berg', employment_lifecycle: 'confirmed', probation_end_date: null },
  ]);
  replies['GET /api/kpi-evaluations'] = listOf([{ id: 31, employee_id: 58, status: 'manager_review' }]);
  start('/');
  const block = within(await screen.findByRole('region', { name: 'My team' }));
  await block.findByRole('link', { name: /^KPI evaluation: / });
  const [lena, leo] = block.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(lena).toContain('Probation ends 1 Jun 2026');
  expect(leo).toContain('KPI evaluation:');
  expect(to('GET /api/kpi-evaluations')[0]?.query.get('employee_id')).toBe('57,58');
  expect(screen.queryByRole('region', { name: /^Active people by/ })).toBeNull();
  expect(to('GET /api/reports/movement')).toEqual([]);
});

const person = { id: 13, name: 'Leo Berg', job_title: 'Buyer', department: own.department, profile_picture_url: null };
const noOne = { people: [], total: 0 };
const news = {
  announcements: [
    { id: 5, title: 'Summer party', body: 'On the roof.\nhttps://acme.example/party', starts_on: '2026-04-16' },
    { id: 6, title: 'Parking', body: '<b>Closed</b> on Monday', starts_on: '2026-04-14' },
  ],
  started: { people: [{ ...person, day: '2026-04-13' }], total: 1 },
  starting: noOne,
  anniversaries: { people: [{ ...person, id: 14, name: 'Ada Roe', day: '2026-04-20', years: 5 }], total: 3 },
  birthdays: noOne,
};

function withNews(preferences: object = {}) {
  const { today, filters, my_work } = wholeDashboard;
  const served = service({ today, filters, my_work: { ...my_work, by_kind: {} }, me }, ['employees.view'], []);
  const session = signedInAs(['employees.view'], scopeOf('own'));
  (session.body as { data: { directory?: boolean } }).data.directory = true;
  Object.assign(served.replies, {
    'GET /api/me': session,
    'GET /api/home': itemOf(news),
    'GET /api/profile': itemOf({ user: { preferences }, employee: own }),
    'PUT /api/profile': itemOf({ user: { preferences }, employee: own }),
    'GET /api/directory/12': { status: 404, body: { message: 'Record not found' } },
    'POST /api/announcements/5/dismissal': { status: 204 },
    'DELETE /api/announcements/5/dismissal': { status: 204 },
  });
  return served;
}

test('announcements are plain text with links, and hiding one can be undone', async () => {
  const { to, replies } = withNews();
  const { user } = start('/');
  const party = within(await screen.findByRole('article', { name: 'Summer party' }));
  const link = party.getByRole('link', { name: 'https://acme.example/party' });
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://acme.example/party',
    'noopener noreferrer',
  ]);
  expect(screen.getByText('<b>Closed</b> on Monday')).toBeTruthy();
  replies['GET /api/home'] = itemOf({ ...news, announcements: news.announcements.slice(1) });
  await user.click(party.getByRole('button', { name: 'Hide Summer party' }));
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Summer party' })).toBeNull());
  expect(to('POST /api/announcements/5/dismissal')).toHaveLength(1);
  replies['GET /api/home'] = itemOf(news);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('article', { name: 'Summer party' })).toBeTruthy();
  expect(to('DELETE /api/announcements/5/dismissal')).toHaveLength(1);
});

test('new colleagues and anniversaries are listed with their day, and what does not fit is counted', async () => {
  withNews();
  start('/');
  const block = within(await screen.findByRole('region', { name: 'Colleagues' }));
  const [started, anniversary] = block.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(started).toContain('Leo BergBuyer · BuyingMon 13 Apr');
  expect(anniversary).toContain('Mon 20 Apr · 5 years');
  expect(block.getByText('and 2 more')).toBeTruthy();
  expect(block.getByRole('link', { name: 'Ada Roe' }).getAttribute('href')).toBe('/directory/14');
  expect(block.queryByRole('list', { name: 'Birthdays' })).toBeNull();
});

test('parts are hidden and moved with buttons, kept for the account, and set back', async () => {
  const { to } = withNews({ home: { hidden: ['tasks'] } });
  const { user } = start('/');
  await screen.findByRole('region', { name: 'Announcements' });
  expect(screen.queryByRole('region', { name: 'To do' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Arrange page' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Arrange your home page' }));
  expect(dialog.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
    'Announcements',
    'To do',
    'You',
    'Colleagues',
    'My team',
  ]);
  await user.click(dialog.getByRole('checkbox', { name: 'To do' }));
  expect(await screen.findByRole('region', { name: 'To do', hidden: true })).toBeTruthy();
  const up = dialog.getByRole('button', { name: 'Move up: To do' });
  up.focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(up);
  expect(dialog.getByText('To do: position 1 of 5')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Reset to default' }));
  await waitFor(() => expect(to('PUT /api/profile')).toHaveLength(3));
  expect(
    to('PUT /api/profile').map(({ body }) => (body as { preferences: { home: unknown } }).preferences.home),
  ).toEqual([null, { order: expect.arrayContaining(['tasks', 'announcements']) as unknown }, null]);
});
