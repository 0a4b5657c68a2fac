import { kpiEvaluations } from '@tenure/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { evaluation } from '../../../testing/evaluations.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

afterEach(() => vi.restoreAllMocks());

const path = '/api/kpi-evaluations/9';

test('input is kept if an error replaces the page, and saved after the page is loaded again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view'], { employee_id: 57 }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(evaluation()),
    [`GET ${path}/evidence`]: listOf([]),
    [`GET ${path}/activity`]: listOf([]),
    [`PUT ${path}`]: { status: 503, body: { message: 'Away.' } },
  });
  const { user, queries } = start('/kpi/evaluations/9');
  await user.type(await screen.findByLabelText('Comment'), 'Good');
  // the page cannot show this
  const [shown] = queries.getQueryCache().findAll({ queryKey: [kpiEvaluations.get.path] });
  act(() => void shown?.setData({ data: null }));
  await screen.findByRole('button', { name: 'Try again' });
  cleanup();
  service.replies[`PUT ${path}`] = itemOf(evaluation({ revision: 2 }));
  start('/kpi/evaluations/9');
  expect(await screen.findByDisplayValue('Good')).toBeDefined();
  await waitFor(() =>
    expect(service.to(`PUT ${path}`).at(-1)?.body).toEqual({ items: [{ id: 11, self_comment: 'Good' }], revision: 1 }),
  );
});
