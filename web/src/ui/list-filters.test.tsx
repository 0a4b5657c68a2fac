import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { dialogOf, fill, pick } from '../testing/acts.ts';
import { card } from '../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../testing/service.ts';
import { start } from '../testing/start.tsx';

const options = {
  cycles: [{ id: 9, name: 'Q1 2026' }],
  departments: [{ id: 4, name: 'Purchasing' }],
  reviewers: [{ id: 23, name: 'Omar Diaz' }],
  statuses: ['manager_review'],
};

function open(address: string) {
  const reader = { role_assignments: [{ role_id: 1, role: 'HR', scope: 'all', entity_ids: null }] };
  const served = serve({
    'GET /api/me': signedInAs(
      [
        'kpi-evaluation.view',
        'kpi-evaluation.hr-review',
        'probation-review.view',
        'probation-review.approve',
        'audit.view',
        'entities.view',
        'departments.view',
        'employees.view',
      ],
      reader,
    ),
    'GET /api/kpi-evaluations': listOf([]),
    'GET /api/kpi-evaluations/filter-options': itemOf(options),
    'GET /api/probation-reviews': listOf([]),
    'GET /api/probation-reviews/upcoming': listOf([]),
    'GET /api/audit-log': listOf([]),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/departments': listOf([{ id: 4, name: 'Purchasing' }]),
    'GET /api/employees': listOf([{ ...card, id: 77, display_name: 'Hera Heir' }]),
  });
  return { served, ...start(address) };
}

const evaluations = '/kpi/evaluations?tab=all';
const probation = '/probation?tab=all';

test.each([
  { from: evaluations, field: 'Cycle', option: 'Q1 2026', to: 'cycle_id=9' },
  { from: evaluations, field: 'Department', option: 'Purchasing', to: 'department_id=4' },
  { from: evaluations, field: 'Reviewer', option: 'No reviewer', to: 'reviewer_id=0' },
  { from: evaluations, field: 'Stage', option: 'Manager review', to: 'status=manager_review' },
  { from: evaluations, field: 'Flag', option: 'High potential', to: 'performance_flag=hipo' },
  { from: probation, field: 'Company', option: 'Acme Foods Ltd', to: 'entity_id=1' },
  { from: probation, field: 'Department', option: 'Purchasing', to: 'department_id=4' },
  { from: probation, field: 'Outcome', option: 'Extend', to: 'outcome=extend' },
  { from: '/probation?tab=ending', field: 'Time frame', option: 'Within 90 days', to: 'days=90' },
  { from: '/probation?tab=ending', field: 'Problem', option: 'No review', to: 'problem=no_review' },
])('$from: $field narrows to $option, from the first page, and can be emptied', async ({ from, field, option, to }) => {
  const { user, where } = open(`${from}&page=2`);
  const box = await screen.findByRole('combobox', { name: field });
  await pick(user, box, option);
  await waitFor(() => expect(where()).toBe(`${from}&${to}`));
  const clear = box.parentElement?.querySelector<HTMLElement>('button');
  await user.click(clear as HTMLElement);
  await waitFor(() => expect(where()).toBe(from));
});

test('the reviewer is searched by the service, and named when a link chose one', async () => {
  const { served, user, where } = open(`${evaluations}&reviewer_id=23`);
  const box = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Reviewer' });
  await waitFor(() => expect(box.value).toBe('Omar Diaz'));
  const asked = () => served.to('GET /api/kpi-evaluations/filter-options').map(({ query }) => query.toString());
  expect(asked().toSorted()).toEqual(['', 'reviewer_id=23']);
  await user.click(box.parentElement?.querySelector<HTMLElement>('button') as HTMLElement);
  await waitFor(() => expect(where()).toBe(evaluations));
  await user.type(box, 'oma');
  await waitFor(() => expect(asked().at(-1)).toBe('reviewer_search=oma'));
  expect(screen.queryByRole('option', { name: 'No reviewer', hidden: true })).toBeNull();
  await user.click(await screen.findByRole('option', { name: 'Omar Diaz', hidden: true }));
  await waitFor(() => expect(where()).toBe(`${evaluations}&reviewer_id=23`));
});

test.each([
  { from: evaluations, name: 'Overdue only', to: 'overdue=true' },
  { from: probation, name: 'No reviewer', to: 'reviewer_id=0' },
])('$from: the switch “$name” narrows, and back', async ({ from, name, to }) => {
  const { user, where } = open(from);
  await user.click(await screen.findByRole('switch', { name }));
  await waitFor(() => expect(where()).toBe(`${from}&${to}`));
  await user.click(screen.getByRole('switch', { name }));
  await waitFor(() => expect(where()).toBe(from));
});

test('filters that only links set are shown, and can be removed', async () => {
  const { user, where } = open(`${evaluations}&entity_id=1&missing_reviewer=true`);
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Company' }).value).toBe('Acme Foods Ltd'),
  );
  await user.click(screen.getByRole('switch', { name: 'No reviewer' }));
  await waitFor(() => expect(where()).toBe(`${evaluations}&entity_id=1`));
});

test('the log is narrowed by subject, person, company and days; another subject forgets the record', async () => {
  const { served, user, where } = open('/audit-log?subject_type=role&subject_id=4&page=3');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Record' }), 'Department');
  await waitFor(() => expect(where()).toBe('/audit-log?subject_type=department'));
  await pick(user, screen.getByRole('combobox', { name: 'Who' }), /Hera Heir/);
  await waitFor(() => expect(where()).toContain('actor_employee_id=77'));
  await pick(user, screen.getByRole('combobox', { name: 'Company' }), 'Acme Foods Ltd');
  await waitFor(() => expect(where()).toContain('entity_id=1'));
  fill(screen.getByLabelText('From'), '2026-02-01');
  await waitFor(() => expect(where()).toContain('at_from=2026-02-01'));
  fill(screen.getByLabelText('Until'), '2026-02-28');
  await waitFor(() => expect(served.to('GET /api/audit-log').at(-1)?.query.has('at_to')).toBe(true));
  await user.click(screen.getByRole('button', { name: 'Show all entries' }));
  await waitFor(() => expect(where()).toBe('/audit-log'));
});

test.each([
  { address: `${evaluations}&cycle_id=9&search=a`, button: 'Filters (1)', field: 'Department' },
  { address: `${probation}&status=pending&entity_id=1`, button: 'Filters (2)', field: 'Department' },
  { address: '/audit-log?entity_id=1', button: 'Filters (1)', field: 'Company' },
])('a phone has the filters of $address in a sheet, and counts them', async ({ address, button, field }) => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }));
  const { user } = open(address);
  await user.click(await screen.findByRole('button', { name: button }));
  const sheet = await dialogOf('Filters');
  expect(sheet.getByRole('combobox', { name: field })).toBeDefined();
  await user.click(sheet.getByRole('button', { name: 'Show results' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
