import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { evaluation } from '../../../testing/evaluations.ts';
import { card, complete } from '../../../testing/people.ts';
import { probationReview as review } from '../../../testing/probation.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const permissions = ['employees.view', 'kpi-evaluation.view', 'probation-review.view'];

const done = (id: number, name: string, percentage: number, day: string) =>
  evaluation({
    id,
    cycle: { id, name },
    status: 'completed',
    overall_percentage: percentage,
    band_name: percentage >= 90 ? 'A' : 'B',
    completed_at: `${day}T10:00:00.000Z`,
  });
const history = [
  evaluation({ id: 5, cycle: { id: 5, name: 'Q3 2026' }, due_on: '2099-12-31' }),
  done(4, 'Q2 2026', 82.5, '2026-07-10'),
  done(3, 'Q1 2026', 92, '2026-04-10'),
];
const decided = review({
  id: 8,
  status: 'approved',
  outcome: 'confirm',
  decided_at: '2026-05-02T10:00:00.000Z',
  probation_end_date: '2026-05-02',
});

const people = [
  { ...card, id: 71, display_name: 'Ana Sousa', job_title: 'Assistant buyer', reporting_manager_id: 57 },
  { ...card, id: 72, display_name: 'Ben Okoro', job_title: null, reporting_manager_id: 57 },
];
const omar = { ...card, id: 23, display_name: 'Omar Diaz', job_title: 'Head of Purchasing' };

function open(address: string, may: readonly string[] = permissions, replies: Parameters<typeof serve>[0] = {}) {
  const served = serve({
    'GET /api/me': signedInAs(may, { employee_id: 57 }),
    'GET /api/employees/57': itemOf(complete),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: complete, roles: [], permissions: may }),
    'GET /api/employees': ({ url }) => {
      if (url.searchParams.get('id') === '23') return listOf([omar]);
      return listOf(url.searchParams.get('reporting_manager_id') === '57' ? people : []);
    },
    'GET /api/kpi-evaluations': listOf(history),
    'GET /api/probation-reviews': listOf([decided]),
    'GET /api/employees/57/former-results': listOf([]),
    ...replies,
  });
  return { served, ...start(address) };
}

const textsOf = (rows: HTMLElement[]) => rows.map(({ textContent }) => textContent);

describe.each(['/employees/57?tab=reviews', '/profile?part=reviews'])('the reviews at %s', (address) => {
  test('are in time order with status, result and day, and link to their pages', async () => {
    const { served } = open(address);
    const table = within(await screen.findByRole('region', { name: 'All reviews' }));
    const [, ...rows] = textsOf(table.getAllByRole('row'));
    expect(rows).toHaveLength(4);
    expect(rows[0]).toContain('Q3 2026KPI evaluationSelf-assessment–Due 31 Dec 2099');
    expect(rows[1]).toContain('Q2 2026KPI evaluationCompleted82.5% · band BCompleted 10 Jul 2026');
    expect(rows[2]).toMatch(/^Probation review 1.*Decided.*ConfirmedDecided 2 May 2026/);
    expect(rows[3]).toContain('92% · band A');
    expect(table.getByRole('link', { name: 'Q2 2026' }).getAttribute('href')).toBe('/kpi/evaluations/4');
    expect(table.getByRole('link', { name: 'Probation review 1' }).getAttribute('href')).toBe('/probation/8');
    const trend = screen.getByRole('region', { name: 'Results over time' });
    expect(trend.textContent).toContain('82.5% in Q2 2026, 9.5 points less than in Q1 2026.');
    for (const path of ['/api/kpi-evaluations', '/api/probation-reviews'])
      expect(served.to(`GET ${path}`).every(({ query }) => query.get('employee_id') === '57')).toBe(true);
    expect(served.asked.some(({ query }) => query.has('reveal'))).toBe(false);
  });
});

test('a result that the user may not see is neither in the table nor in the trend', async () => {
  const hidden = history.map(({ overall_percentage: _result, ...rest }) => rest);
  open('/employees/57?tab=reviews', permissions, { 'GET /api/kpi-evaluations': listOf(hidden) });
  const table = within(await screen.findByRole('region', { name: 'All reviews' }));
  expect(table.queryByText(/%/)).toBeNull();
  expect(screen.queryByRole('region', { name: 'Results over time' })).toBeNull();
});

test('there is no tab without permission; one permission shows its reviews only', async () => {
  const { served } = open('/employees/57?tab=reviews', ['employees.view']);
  await screen.findByRole('heading', { level: 2, name: 'Work' });
  expect(screen.queryByRole('tab', { name: 'Reviews' })).toBeNull();
  expect(served.asked.filter(({ path }) => /evaluations|reviews/.test(path))).toEqual([]);
});

test('a person without reviews has an empty state, and a failure can be tried again', async () => {
  const { served, user } = open('/employees/57?tab=reviews', permissions, {
    'GET /api/kpi-evaluations': { status: 500, body: { message: 'No.' } },
    'GET /api/probation-reviews': listOf([]),
  });
  const again = await screen.findByRole('button', { name: 'Try again' });
  served.replies['GET /api/kpi-evaluations'] = listOf([]);
  await user.click(again);
  expect(await screen.findByRole('heading', { level: 2, name: 'No reviews yet' })).toBeDefined();
});

describe('the summary beside the tabs', () => {
  test('has manager, start, contact, open reviews and direct reports', async () => {
    open('/employees/57');
    const summary = within(await screen.findByRole('complementary', { name: 'At a glance' }));
    await summary.findByText('Head of Purchasing');
    expect(summary.getByRole('link', { name: 'Omar Diaz' }).getAttribute('href')).toBe('/employees/23');
    expect(summary.getByText('2 Feb 2026')).toBeDefined();
    expect(summary.getByRole('link', { name: /0101$/ }).getAttribute('href')).toBe('tel:+441134960101');
    expect((await summary.findByRole('link', { name: 'Q3 2026' })).getAttribute('href')).toBe('/kpi/evaluations/5');
    expect(summary.getByText('Due 31 Dec 2099')).toBeDefined();
    await summary.findByRole('heading', { name: 'Direct reports (2)' });
    expect(summary.getByRole('link', { name: 'Ana Sousa' }).getAttribute('href')).toBe('/employees/71');
    expect(summary.getByText('Assistant buyer')).toBeDefined();
  });

  test('links a manager out of reach to the directory, or not at all', async () => {
    const nobody = { 'GET /api/employees': listOf([]) };
    open('/employees/57', permissions, nobody);
    const summary = within(await screen.findByRole('complementary', { name: 'At a glance' }));
    await summary.findByText('No direct reports');
    expect(summary.getByText('Omar Diaz')).toBeDefined();
    expect(summary.queryByRole('link', { name: 'Omar Diaz' })).toBeNull();
  });

  test.each([
    [null, '+44 113 496 0101', ['tel:+441134960101']],
    [null, null, undefined],
  ])('has no contact that is empty: address %s, phone %s', async (email, phone, links) => {
    open('/employees/57', ['employees.view'], { 'GET /api/employees/57': itemOf({ ...card, email, phone }) });
    const summary = within(await screen.findByRole('complementary', { name: 'At a glance' }));
    await summary.findByText('Head of Purchasing');
    const title = summary.queryByRole('heading', { name: 'Work contact' });
    const hrefs = title && [...(title.parentElement?.parentElement?.querySelectorAll('a') ?? [])];
    expect(
      hrefs
        ?.map((link) => link.getAttribute('href'))
        .filter((href) => href?.startsWith('tel:') || href?.startsWith('mailto:')),
    ).toEqual(links);
    expect(document.body.innerHTML).not.toContain('mailto:null');
  });

  test('shows a colleague without dates only what the card has', async () => {
    open('/employees/57', ['employees.view'], { 'GET /api/employees/57': itemOf(card) });
    const summary = within(await screen.findByRole('complementary', { name: 'At a glance' }));
    await summary.findByText('Head of Purchasing');
    for (const title of ['Start date', 'Open reviews'])
      expect(summary.queryByRole('heading', { name: title })).toBeNull();
  });
});
