import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../testing/service.ts';
import { start } from '../testing/start.tsx';

const demands = 'GET /api/second-factor-demands';
const sealed = { 'GET /api/sealed-secrets': { body: { data: [] } } };
const due = (from: string): ReturnType<typeof signedInAs> => {
  const me = signedInAs(['identity.manage']) as { body: { data: object } };
  return { body: { data: { ...me.body.data, second_factor: { state: 'due', from } } } };
};

test('administrators are asked until one of them has decided', async () => {
  const service = serve({
    'GET /api/me': signedInAs(['identity.manage']),
    [demands]: itemOf({ is_decided: false, roles: [] }),
    'POST /api/second-factor-demands/decide': itemOf({ is_decided: true }),
    ...sealed,
  });
  const { user } = start('/settings/sealing-keys');
  const link = await screen.findByRole('link', { name: 'Decide in the sign-in rules' });
  expect(link.getAttribute('href')).toBe('/settings/sign-in?part=rules');
  service.replies[demands] = itemOf({ is_decided: true, roles: [] });
  await user.click(screen.getByRole('button', { name: 'Leave it as it is' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Decide in the sign-in rules' })).toBeNull());
});

test('others are not asked', async () => {
  const service = serve({ 'GET /api/me': signedInAs(['employees.view']), 'GET /api/employees': listOf([]), ...sealed });
  start('/settings/sealing-keys');
  await screen.findByRole('heading', { level: 1 });
  expect(service.to(demands)).toHaveLength(0);
});

test.each([
  ['2099-03-01', 'Your role or company requires two-step sign-in from 1 Mar 2099.'],
  ['2026-01-01', 'Your role or company requires two-step sign-in the next time you sign in.'],
])('a demand from %s leads to the own profile', async (from, text) => {
  const service = serve({ 'GET /api/me': due(from), ...sealed });
  start('/settings/sealing-keys');
  await screen.findByText(text);
  expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/profile?part=security');
  expect(service.to(demands)).toHaveLength(0);
});
