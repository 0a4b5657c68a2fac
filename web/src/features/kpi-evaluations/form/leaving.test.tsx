import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { evaluation } from '../../../testing/evaluations.ts';
import { guest, itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/kpi-evaluations/9';
const open = (replies: Parameters<typeof serve>[0] = {}) => {
  const service = serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view'], { employee_id: 57 }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(evaluation()),
    [`GET ${path}/evidence`]: listOf([]),
    [`GET ${path}/activity`]: listOf([]),
    'GET /api/kpi-evaluations': listOf([]),
    ...replies,
  });
  return { service, ...start('/kpi/evaluations/9') };
};

test('leaving right after the last key saves it without a question', async () => {
  const { service, user, where } = open({ [`PUT ${path}`]: itemOf(evaluation({ revision: 2, self_comment: null })) });
  await user.type(await screen.findByLabelText('Comment'), 'Good');
  await user.click(screen.getByRole('link', { name: 'KPI evaluations' }));
  await waitFor(() => expect(where()).toMatch(/^\/kpi\/evaluations(\?|$)/));
  expect(service.to(`PUT ${path}`).at(-1)?.body).toEqual({ items: [{ id: 11, self_comment: 'Good' }], revision: 1 });
});

test('leaving while saving fails asks first', async () => {
  const { user, where } = open({ [`PUT ${path}`]: { status: 503, body: { message: 'Away.' } } });
  await user.type(await screen.findByLabelText('Comment'), 'Good');
  await user.click(screen.getByRole('link', { name: 'KPI evaluations' }));
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(where()).toBe('/kpi/evaluations/9');
});

const signOut = async (user: ReturnType<typeof start>['user']) => {
  await user.click(screen.getByRole('button', { name: /Hana Ito/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
};

test('signing out right after the last key saves it without a question', async () => {
  const { service, user, where } = open({
    [`PUT ${path}`]: itemOf(evaluation({ revision: 2 })),
    'POST /api/logout': { body: { message: 'Logged out successfully.' } },
  });
  await user.type(await screen.findByLabelText('Comment'), 'Good');
  await signOut(user);
  await waitFor(() => expect(where()).toBe('/login'));
  const paths = service.asked.filter(({ method }) => method !== 'GET').map((one) => one.path);
  expect(paths).toEqual([path, '/api/logout']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('signing out while saving fails asks first, and only continues if the user confirms', async () => {
  const { service, user, where } = open({
    [`PUT ${path}`]: { status: 503, body: { message: 'Away.' } },
    'POST /api/logout': { body: { message: 'Logged out successfully.' } },
  });
  await user.type(await screen.findByLabelText('Comment'), 'Good');
  await signOut(user);
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(service.to('POST /api/logout')).toHaveLength(0);
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Comment')).value).toBe('Good');
  await signOut(user);
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(where()).toBe('/login'));
  expect(service.to('POST /api/logout')).toHaveLength(1);
});

test('the draft of an ended session is restored and saved after the next sign-in', async () => {
  const { service, user, router } = open({ [`PUT ${path}`]: guest });
  await user.type(await screen.findByLabelText('Comment'), 'Good');
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  service.replies[`PUT ${path}`] = itemOf(evaluation({ revision: 2 }));
  service.replies['POST /api/login'] = { body: { message: 'Logged in successfully.' } };
  await user.type(await screen.findByLabelText('Work email'), 'lena.park@acme.example');
  await user.type(screen.getByLabelText('Password'), 'Willow!Harbor42');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/kpi/evaluations/9'));
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Comment')).value).toBe('Good');
  await screen.findByText(/^Saved /);
});

test('the activity shows each step with its reason', async () => {
  const row = {
    id: 1,
    at: '2026-02-02T10:00:00.000Z',
    actor: { user_id: null, name: 'System' },
    action: 'skip-self-assessment',
    from: 'self_assessment',
    to: 'manager_review',
    reason: 'The time was over.',
    round: 1,
    snapshot: null,
  };
  const { user } = open({ [`GET ${path}/activity`]: listOf([row]) });
  await user.click(await screen.findByRole('tab', { name: 'Activity' }));
  await screen.findByText('Self-assessment skipped');
  expect(screen.getByText('The time was over.').closest('tr')?.textContent).toContain('Tenure (automatic)');
});
