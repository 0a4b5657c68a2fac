import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guest, listOf, serve, signedInAs } from '../testing/service.ts';
import { start } from '../testing/start.tsx';

let visited: string[] = [];
beforeEach(() => {
  visited = [];
  const assign = (url: string) => void visited.push(url);
  vi.stubGlobal('location', { href: location.href, origin: location.origin, assign });
});
afterEach(() => vi.unstubAllGlobals());

/** Signs out, and returns what the other tabs received. */
async function signOut(reply: object) {
  const service = serve({
    'GET /api/me': signedInAs(['employees.view']),
    'GET /api/employees': listOf([]),
    'GET /api/sign-in/options': { body: { data: { by_address: false, providers: [] } } },
  });
  service.replies['POST /api/logout'] = () => {
    service.replies['GET /api/me'] = guest;
    return { body: { message: 'Logged out successfully.', ...reply } };
  };
  const heard: unknown[] = [];
  const otherTab = new BroadcastChannel('tenure.session');
  otherTab.addEventListener('message', ({ data }) => heard.push(data));
  const { user, where } = start('/employees');
  await user.click(await screen.findByRole('button', { name: /Hana Ito/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  await waitFor(() => expect(where()).toBe('/login'));
  await waitFor(() => expect(heard).toEqual([{ user: null }]));
  otherTab.close();
}

test('signing out goes on to the provider that the session came from, here and not in other tabs', async () => {
  const url = 'https://op.example/logout?client_id=tenure';
  await signOut({ end_session_url: url });
  await waitFor(() => expect(visited).toEqual([url]));
});

test.each([[{}], [{ end_session_url: 'http://op.example/logout' }], [{ end_session_url: 'javascript:alert(1)' }]])(
  'signing out stays here without an https address: %j',
  async (reply) => {
    await signOut(reply);
    expect(visited).toEqual([]);
  },
);
