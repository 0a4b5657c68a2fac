import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { evaluation } from '../../../testing/evaluations.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

/** Parts of the page are loaded when they are needed; without a network they fail. */
vi.mock('../../../ui/ModalDialog.tsx', () => ({
  ModalDialog: () => {
    throw new TypeError('error loading dynamically imported module');
  },
}));

afterEach(() => vi.restoreAllMocks());

const path = '/api/kpi-evaluations/9';

test('input is kept if a part of the page cannot be loaded, and saved after the page is loaded again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view'], { employee_id: 57 }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(evaluation()),
    [`GET ${path}/evidence`]: listOf([]),
    [`GET ${path}/activity`]: listOf([]),
    [`PUT ${path}`]: { status: 503, body: { message: 'Away.' } },
  });
  const { user } = start('/kpi/evaluations/9');
  await user.type(await screen.findByLabelText('Comment'), 'Good');
  await user.click(screen.getByRole('link', { name: 'KPI evaluations' }));
  await screen.findByRole('button', { name: 'Reload' });
  cleanup();
  service.replies[`PUT ${path}`] = itemOf(evaluation({ revision: 2 }));
  start('/kpi/evaluations/9');
  expect(await screen.findByDisplayValue('Good')).toBeDefined();
  await waitFor(() =>
    expect(service.to(`PUT ${path}`).at(-1)?.body).toEqual({ items: [{ id: 11, self_comment: 'Good' }], revision: 1 }),
  );
});
