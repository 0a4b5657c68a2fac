import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { listOf, serve, signedInAs } from '../testing/service.ts';
import { english, german, start } from '../testing/start.tsx';

const onPhone = () =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }));

test('on a phone the menu closes with the page it was opened on, and stays closed when the user returns', async () => {
  onPhone();
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

test.each([
  ['English', english],
  ['German', german],
])('a tab of a phone calls notifications what their page is called in %s', async (_name, language) => {
  onPhone();
  serve({ 'GET /api/me': signedInAs([]), 'GET /api/notifications': listOf([]) });
  start('/notifications', language);
  const title = (await screen.findByRole('heading', { level: 1 })).textContent;
  const tabs = within(
    screen.getByRole('navigation', { name: language === german ? 'Schnellnavigation' : 'Shortcuts' }),
  );
  expect(tabs.getByRole('link', { name: title }).getAttribute('href')).toBe('/notifications');
});

test('the sidebar scrolls to the entry of the page, at first and after each navigation', async () => {
  const seen: (string | null)[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scrolled(this: Element) {
    seen.push(this.getAttribute('href'));
  });
  serve({ 'GET /api/me': signedInAs(['audit.view']), 'GET /api/audit-log': listOf([]) });
  const { router } = start('/audit-log');
  await screen.findByRole('heading', { level: 1, name: 'Audit log' });
  expect(seen).toEqual(['/audit-log']);
  await act(async () => router.navigate({ to: '/tasks' }));
  await screen.findByRole('heading', { level: 1, name: 'My tasks' });
  expect(seen).toEqual(['/audit-log', '/tasks']);
});
