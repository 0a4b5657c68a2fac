import { probationReviews } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { probationReview, submittedReview } from '../../../testing/probation.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const ending = (fields: object = {}) => ({
  employee: { id: 57, employee_number: 'ACME-057', name: 'Lena Park' },
  entity: { id: 1, name: 'Acme Foods Ltd' },
  department: { id: 4, name: 'Purchasing' },
  probation_end_date: '2099-05-02',
  days_left: 11,
  extension_count: 0,
  paused_from: null,
  review: null,
  reviewer: null,
  problems: ['no_review'],
  allowed_actions: [],
  ...fields,
});

const service = (permissions: readonly string[], replies: Parameters<typeof serve>[0] = {}) =>
  serve({
    'GET /api/me': signedInAs(['probation-review.view', ...permissions]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/probation-reviews': listOf([probationReview()]),
    'GET /api/probation-reviews/upcoming': listOf([ending()]),
    ...replies,
  });

test('a reviewer starts with open reviews; all reviews and ending probations are in other tabs', async () => {
  const { to } = service(['probation-review.submit']);
  const { user, where } = start('/probation');
  await screen.findByRole('link', { name: 'Lena Park' });
  expect(to('GET /api/probation-reviews')[0]?.query.get('to_do')).toBe('1');
  await user.click(screen.getByRole('tab', { name: 'All reviews' }));
  await waitFor(() => expect(to('GET /api/probation-reviews').at(-1)?.query.has('to_do')).toBe(false));
  await user.click(screen.getByRole('button', { name: /Probation ends/ }));
  expect(where()).toBe('/probation?tab=all&sort_by=probation_end_date&sort_direction=asc');
  await user.click(screen.getByRole('tab', { name: 'Ending soon and overdue' }));
  await screen.findByText('11 days left');
});

/** The answers of the lists by tab, each with or without rows. */
const lists = (todo: number, endings: number) => ({
  'GET /api/probation-reviews': ({ url }: { url: URL }) =>
    listOf(url.searchParams.has('to_do') && todo === 0 ? [] : [probationReview()]),
  'GET /api/probation-reviews/upcoming': listOf(endings === 0 ? [] : [ending()]),
});

test.each([
  ['open reviews', 1, 1, 'To do'],
  ['ending probations if there are no open reviews', 0, 1, 'Ending soon and overdue'],
  ['all reviews if no probation ends soon', 0, 0, 'All reviews'],
])('the page opens with %s', async (_what, todo, endings, tab) => {
  service(['probation-review.submit', 'probation-review.approve'], lists(todo, endings));
  start('/probation');
  await screen.findByRole('link', { name: 'Lena Park' });
  expect(screen.getByRole('tab', { name: tab }).getAttribute('aria-selected')).toBe('true');
});

test('the initial tab stays after its last review is done', async () => {
  const served = service(['probation-review.submit'], lists(1, 1));
  const { queries, where } = start('/probation');
  await screen.findByRole('link', { name: 'Lena Park' });
  Object.assign(served.replies, lists(0, 1));
  await queries.invalidateQueries({ queryKey: [probationReviews.list.path] });
  await screen.findByText('You’re all caught up');
  expect(where()).toBe('/probation');
});

test('an employee has one list, without filters, tabs and export', async () => {
  service([], { 'GET /api/probation-reviews': listOf([]) });
  start('/probation');
  await screen.findByText('No decision yet');
  expect(screen.queryByRole('tab')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('a user with read access to all people sees the lists of all people', async () => {
  const auditor = { role_id: 9, role: 'Auditor', scope: 'all', entity_ids: null };
  service([], { 'GET /api/me': signedInAs(['probation-review.view'], { role_assignments: [auditor] }) });
  start('/probation');
  await screen.findByRole('link', { name: 'Lena Park' });
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['All reviews', 'Ending soon and overdue']);
  screen.getByRole('searchbox');
});

test("overdue reviews and remaining days use the company's present day", async () => {
  const row = probationReview({ due_date: '2099-04-30', today: '2099-05-01' });
  service(['probation-review.approve'], { 'GET /api/probation-reviews': listOf([row]) });
  start('/probation?tab=all');
  await screen.findByText('1 day left');
  expect(screen.getByText('Overdue')).toBeTruthy();
});

test('a decision and a recommendation are distinguishable', async () => {
  const decided = submittedReview({
    id: 25,
    status: 'approved',
    outcome: 'extend',
    decided_at: '2026-04-22T09:00:00.000Z',
  });
  const reversed = { ...decided, id: 26, status: 'reverted' as const };
  service(['probation-review.approve'], {
    'GET /api/probation-reviews': listOf([submittedReview(), decided, reversed]),
  });
  start('/probation?tab=all');
  const [, first, second, third] = within(await screen.findByRole('table')).getAllByRole('row');
  within(first as HTMLElement).getByText('Recommended: Confirm');
  expect(within(second as HTMLElement).getByText('Probation extended')).toBeTruthy();
  expect(within(third as HTMLElement).queryByText('Probation extended')).toBeNull();
});

test('a missing review is opened with one click, if the user may', async () => {
  const { to } = service(['probation-review.create'], {
    'POST /api/probation-reviews': { ...itemOf(probationReview({ allowed_actions: [] })), status: 201 },
    'GET /api/probation-reviews/24': itemOf(probationReview({ allowed_actions: [] })),
  });
  const { user, where } = start('/probation?tab=ending');
  await user.click(await screen.findByRole('button', { name: /^Start review/ }));
  await screen.findByRole('heading', { level: 1, name: 'Lena Park’s probation' });
  expect(to('POST /api/probation-reviews')[0]?.body).toEqual({ employee_id: 57 });
  expect(where()).toBe('/probation/24');
});

test('a missing reviewer is set in the list; without the permission, problems are only shown', async () => {
  const row = ending({ problems: ['no_reviewer'], review: { id: 24, status: 'pending' } });
  const person = { id: 31, display_name: 'Ida Berg', job_title: 'Lead', department: { id: 4, name: 'Purchasing' } };
  const { to } = service(['probation-review.create', 'employees.view'], {
    'GET /api/probation-reviews/upcoming': listOf([row]),
    'GET /api/employees': listOf([person]),
    'PUT /api/probation-reviews/24/reviewer': itemOf(probationReview()),
  });
  const { user } = start('/probation?tab=ending');
  await user.click(await screen.findByRole('button', { name: /^Assign reviewer/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Lena Park’s reviewer' }));
  await user.type(dialog.getByRole('combobox', { name: /^New reviewer/ }), 'Ida');
  await user.click(await screen.findByRole('option', { name: /Ida Berg/, hidden: true }));
  await user.click(dialog.getByRole('button', { name: 'Assign reviewer' }));
  await screen.findByText('Reviewer changed.');
  expect(to('PUT /api/probation-reviews/24/reviewer')[0]?.body).toEqual({ reviewer_id: 31 });
});

test('a missing end date is set if the user may change it for that person', async () => {
  const rows = [
    ending({ problems: ['no_end_date'], probation_end_date: null, days_left: null, allowed_actions: ['extend'] }),
    ending({
      employee: { id: 58, employee_number: 'ACME-058', name: 'Ada Admin' },
      problems: ['no_end_date'],
      probation_end_date: null,
      days_left: null,
    }),
  ];
  service(['employees.update', 'probation-review.submit'], { 'GET /api/probation-reviews/upcoming': listOf(rows) });
  start('/probation?tab=ending');
  const links = await screen.findAllByRole('link', { name: /^Set end date/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/employees/57?edit=employment']);
});

test('a user without permissions sees problems without steps', async () => {
  service(['probation-review.submit']);
  start('/probation?tab=ending&problem=no_review');
  await screen.findByText('No review', { selector: 'span' });
  expect(screen.queryByRole('button', { name: /Start review/ })).toBeNull();
});
