import type { KpiEvaluation } from '@tenure/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { evaluation } from '../../../testing/evaluations.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const one = { number: 1, from: '2026-01-01', until: '2026-10-31', days: 304 };
const two = { number: 2, from: '2026-11-01', until: '2026-12-31', days: 61 };
const listed = (id: number, name: string, percentage: number | null) => ({
  id,
  department: { id, name },
  is_completed: percentage !== null,
  overall_percentage: percentage,
});

function open(whole: KpiEvaluation['whole']) {
  serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view'], { employee_id: 57 }),
    'GET /api/kpi-evaluations/9': itemOf(evaluation({ part: two, whole })),
    'GET /api/kpi-evaluations/9/evidence': listOf([]),
  });
  start('/kpi/evaluations/9');
}

test('a part names its days, links to the other part, and shows the result of both', async () => {
  open({
    parts: [
      { ...one, ...listed(8, 'Purchasing', 80) },
      { ...two, ...listed(9, 'Sales', 95) },
    ],
    overall_percentage: 82.51,
    band_name: 'B',
  });
  await screen.findByText(/^This evaluation is part 2 of 2: .*2026 to .*2026, 61 days\.$/);
  expect(screen.getByText('Part 2 of 2')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Part 1: Purchasing' }).getAttribute('href')).toBe('/kpi/evaluations/8');
  expect(screen.getByText('Result of both parts: 82.51% (B).')).toBeDefined();
  expect(screen.getByText('Weighted by days: 80% for 304 days, 95% for 61 days.')).toBeDefined();
});

test('a reader of one part sees nothing of the other', async () => {
  open({ parts: [{ ...two, ...listed(9, 'Sales', 95) }], overall_percentage: null, band_name: null });
  await screen.findByText(/^This evaluation is part 2 of 2/);
  expect(screen.queryByRole('link', { name: /^Part 1/ })).toBeNull();
  expect(screen.queryByText(/^Result of both parts/)).toBeNull();
});
