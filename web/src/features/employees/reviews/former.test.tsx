import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { evaluation } from '../../../testing/evaluations.ts';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { german, start } from '../../../testing/start.tsx';

const former = (id: number, change: object) => ({
  id,
  employee_id: 57,
  period: null,
  period_from: null,
  period_to: '2023-12-31',
  unit: 'points',
  result: 4,
  scale_from: 1,
  scale_to: 5,
  percentage: 80,
  band: null,
  source: 'Old HR',
  created_by: { user_id: 7, name: 'Hana Ito' },
  revision: 3,
  created_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-05T08:00:00.000Z',
  allowed_actions: [] as string[],
  ...change,
});
const rows = [
  former(1, { period: 'Annual 2023', period_from: '2023-01-01', band: 'B' }),
  former(2, { period_to: '2022-12-31', unit: 'percent', result: 71.5, scale_from: 0, scale_to: 100, percentage: 71.5 }),
  former(3, { period_to: '2021-12-31', result: 2, scale_from: 6, scale_to: 1, percentage: null }),
  former(4, {
    period_to: '2020-12-31',
    unit: null,
    result: null,
    scale_from: null,
    scale_to: null,
    percentage: null,
    band: 'A',
  }),
];
const done = evaluation({
  id: 4,
  cycle: { id: 4, name: 'Q2 2026' },
  status: 'completed',
  overall_percentage: 82.5,
  band_name: 'B',
  completed_at: '2026-07-10T10:00:00.000Z',
});

function open(results: readonly object[], language?: typeof german) {
  const served = serve({
    'GET /api/me': signedInAs(['employees.view', 'kpi-evaluation.view']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': itemOf(complete),
    'GET /api/employees': listOf([]),
    'GET /api/kpi-evaluations': listOf([done]),
    'GET /api/employees/57/former-results': listOf(results),
  });
  return { served, ...start('/employees/57?tab=reviews', language) };
}

test('former results are among the reviews with their source, and in the trend', async () => {
  open(rows);
  const table = within(await screen.findByRole('region', { name: 'All reviews' }));
  const [, ...texts] = table.getAllByRole('row').map(({ textContent }) => textContent);
  expect(texts[0]).toContain('Q2 2026');
  expect(texts[1]).toContain('Annual 2023Former result · from Old HR');
  expect(texts[1]).toContain('80% · band B4 on a scale from 1 to 5');
  expect(texts[1]).toContain('1 Jan 2023 to 31 Dec 2023');
  expect(texts[2]).toContain('71.5%');
  expect(texts[2]).toContain('Until 31 Dec 2022');
  expect(texts[3]).toContain('2 on a scale from 6 to 1');
  expect(texts[4]).toContain('Band A');
  expect(screen.queryByRole('button', { name: /Correct/ })).toBeNull();
  const trend = screen.getByRole('region', { name: 'Results over time' });
  expect(trend.textContent).toContain('82.5% in Q2 2026, 2.5 points more than in Annual 2023.');
  expect(trend.textContent).toContain('Hollow points come from former systems.');
});

test('HR corrects a result with a reason', async () => {
  const { served, user } = open([former(1, { period: '2023', allowed_actions: ['update', 'delete'] })]);
  served.replies['PUT /api/employees/57/former-results/1'] = itemOf(rows[0]);
  await user.click(await screen.findByRole('button', { name: 'Correct the former result 2023' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Correct a former result' }));
  await user.clear(dialog.getByLabelText('Result'));
  await user.type(dialog.getByLabelText('Result'), '3,5');
  await user.type(dialog.getByLabelText(/^Reason/), 'The paper says 3.5');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(served.to('PUT /api/employees/57/former-results/1').at(-1)?.body).toEqual({
      result: 3.5,
      reason: 'The paper says 3.5',
      revision: 3,
    }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('numbers are shown and read as the language writes them', async () => {
  const points = { period: '2023', result: 1250.5, scale_from: 0, scale_to: 2000, allowed_actions: ['update'] };
  const { served, user } = open([former(1, points)], german);
  served.replies['PUT /api/employees/57/former-results/1'] = itemOf(rows[0]);
  await user.click(await screen.findByRole('button', { name: /2023.*berichtigen/ }));
  const dialog = within(await screen.findByRole('dialog'));
  const result = dialog.getByLabelText<HTMLInputElement>('Ergebnis');
  expect(result.value).toBe('1250,5');
  await user.clear(result);
  await user.type(result, '1.300');
  await user.click(dialog.getByRole('button', { name: 'Speichern' }));
  await waitFor(() =>
    expect(served.to('PUT /api/employees/57/former-results/1').at(-1)?.body).toMatchObject({ result: 1300 }),
  );
});

test('a result becomes a band alone, and is deleted with a reason; refusals are beside their fields', async () => {
  const { served, user } = open([former(1, { period: '2023', allowed_actions: ['update', 'delete'] })]);
  const path = '/api/employees/57/former-results/1';
  const refusal = (errors: object) => ({ status: 422, body: { message: 'No.', errors } });
  served.replies[`PUT ${path}`] = refusal({ band: ['Use one of: A, B, C, D.'] });
  served.replies[`DELETE ${path}`] = refusal({ reason: ['The reason field is required.'] });
  await user.click(await screen.findByRole('button', { name: 'Correct the former result 2023' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Correct a former result' }));
  await user.selectOptions(dialog.getByLabelText('Type of result'), 'Band only');
  expect(dialog.queryByLabelText('Lowest result')).toBeNull();
  await user.type(dialog.getByLabelText('Performance band'), 'Z');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Use one of: A, B, C, D.')).toBeDefined();
  expect(served.to(`PUT ${path}`).at(-1)?.body).toMatchObject({ band: 'Z', result: null, scale_to: null });
  await user.click(dialog.getByRole('button', { name: 'Delete result' }));
  expect(await dialog.findByText('The reason field is required.')).toBeDefined();
});
