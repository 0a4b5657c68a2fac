import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const linked = {
  id: 3,
  provider: { id: 7, name: 'Acme ID' },
  email: 'hana@acme.example',
  linked_at: '2026-11-20T09:00:00.000Z',
  last_used_at: '2026-11-26T09:00:00.000Z',
};

function open(own: object, replies: Parameters<typeof serve>[0] = {}) {
  const service = serve({
    'GET /api/me': signedInAs([]),
    'GET /api/profile/sessions': listOf([]),
    'GET /api/profile/identities': itemOf(own),
    ...replies,
  });
  return { service, ...start('/profile?part=security') };
}

test('a link is shown with its use and removed; the only way in stays', async () => {
  const path = 'DELETE /api/profile/identities/3';
  const only = 'This is your only way to sign in. Please choose a password first.';
  const { service, user } = open(
    { identities: [linked], providers: [] },
    { [path]: { status: 422, body: { message: only, errors: { identity: [only] } } } },
  );
  const list = within(await screen.findByRole('list', { name: 'Linked sign-ins' }));
  expect(list.getByText('hana@acme.example')).toBeDefined();
  await user.click(list.getByRole('button', { name: /^Unlink\s*Acme ID$/ }));
  expect(await list.findByText(only)).toBeDefined();
  service.replies[path] = { status: 204 };
  service.replies['GET /api/profile/identities'] = itemOf({ identities: [], providers: [linked.provider] });
  await user.click(list.getByRole('button', { name: /^Unlink\s*Acme ID$/ }));
  expect(await screen.findByText('Acme ID was unlinked.')).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Link Acme ID' })).toBeDefined();
});

test('linking leads to the provider', async () => {
  const visited: string[] = [];
  const { user } = open(
    { identities: [], providers: [linked.provider] },
    { 'POST /api/profile/identities/7/start': itemOf({ url: 'https://op.example/auth' }) },
  );
  const link = await screen.findByRole('button', { name: 'Link Acme ID' });
  vi.stubGlobal('location', { href: location.href, assign: (url: string) => void visited.push(url) });
  await user.click(link);
  await waitFor(() => expect(visited).toEqual(['https://op.example/auth']));
  expect(sessionStorage.getItem('tenure.sso')).toBe('{"links":true}');
});

test('without any provider there is no such section', async () => {
  const { service } = open({ identities: [], providers: [] });
  await screen.findByRole('heading', { level: 2, name: 'Password' });
  await waitFor(() => expect(service.to('GET /api/profile/identities')).toHaveLength(1));
  expect(screen.queryByText('Linked sign-ins')).toBeNull();
});
