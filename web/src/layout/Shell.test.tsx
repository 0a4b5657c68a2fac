import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { listOf, serve, signedInAs } from '../testing/service.ts';
import { start } from '../testing/start.tsx';

test('on a phone the menu closes with the page it was opened on, and stays closed when the user returns', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }));
  serve({ 'GET /api/me': signedInAs(['rbac.manage']), 'GET /api/roles': listOf([]) });
  const { user, router } = start('/roles');
  await user.click(await screen.findByRole('button', { name: 'Open menu' }));
  const menu = () => screen.queryByRole('navigation', { name: 'Main' });
  await user.click(within(menu() ?? document.body).getByRole('link', { name: 'My tasks' }));
  await screen.findByRole('heading', { level: 1, name: 'My tasks' });
  expect(menu()).toBeNull();
  await act(async () => router.history.back());
  await screen.findByRole('heading', { level: 1, name: 'Roles' });
  expect(menu()).toBeNull();
});
