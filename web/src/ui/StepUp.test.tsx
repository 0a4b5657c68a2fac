import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { roles } from '@tenure/contract';
import { call } from '../api/call.ts';
import { readFile } from '../api/file.ts';
import { itemOf, listOf, serve, signedInAs } from '../testing/service.ts';
import { start } from '../testing/start.tsx';
import { streams } from '../testing/stream.ts';

afterEach(() => vi.unstubAllGlobals());

const refused = {
  status: 403,
  body: { message: 'Please confirm that it is you.', explained: true, step_up: ['password'] },
};
const wrong = { status: 422, body: { message: 'x', errors: { password: ['The password is incorrect.'] } } };
const done = { body: { message: 'Thank you. You can go on.' } };
const path = 'PUT /api/roles/3/permissions';
const change = () => call(roles.setPermissions, { params: { id: 3 }, body: { permissions: [] } });

async function open(replies: Parameters<typeof serve>[0]) {
  const service = serve({
    'GET /api/me': signedInAs([]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/notifications': listOf([]),
    'POST /api/profile/step-up': done,
    'DELETE /api/roles/9': refused,
    ...replies,
  });
  const opened = streams();
  const application = start('/nowhere');
  await waitFor(() => expect(opened).toHaveLength(1));
  // the dialog loads after the page: until then a refusal is final
  await waitFor(async () => {
    void call(roles.delete, { params: { id: 9 } }).catch(() => undefined);
    expect(await screen.findByRole('dialog', {}, { timeout: 100 })).toBeDefined();
  });
  await application.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  service.asked.splice(0);
  const dialog = async () => within(await screen.findByRole('dialog', { name: 'Confirm that it’s you' }));
  return { service, dialog, ...application };
}

test('asks for the password, also again, and sends the same request once more', async () => {
  const { service, dialog, user } = await open({ [path]: refused, 'POST /api/profile/step-up': wrong });
  const answer = change();
  const asking = await dialog();
  await user.type(asking.getByLabelText('Password'), 'guess');
  await user.click(asking.getByRole('button', { name: 'Confirm' }));
  expect(await asking.findByText('The password is incorrect.')).toBeDefined();
  expect(service.to(path)).toHaveLength(1);
  service.replies['POST /api/profile/step-up'] = done;
  service.replies[path] = itemOf({ id: 3 });
  await user.click(asking.getByRole('button', { name: 'Confirm' }));
  expect((await answer).data.id).toBe(3);
  expect(service.to(path).map(({ body }) => body)).toEqual([{ permissions: [] }, { permissions: [] }]);
  expect(service.to('POST /api/profile/step-up').at(-1)?.body).toEqual({ password: 'guess' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('requests that are refused at once share a dialog; cancelling it leaves them refused', async () => {
  const { service, dialog, user } = await open({ [path]: refused, 'GET /api/employees/export': refused });
  const answers = Promise.allSettled([change(), change(), readFile('/api/employees/export')]);
  await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
  const reasons = (await answers).map((one) =>
    one.status === 'rejected' ? (one.reason as Error).message : one.status,
  );
  expect(reasons).toEqual(Array.from({ length: 3 }, () => 'Please confirm that it is you.'));
  expect(service.to(path)).toHaveLength(2);
  expect(service.to('POST /api/profile/step-up')).toEqual([]);
});

test('a second refusal of the repeated request is an error, not a loop', async () => {
  const { service, dialog, user } = await open({ [path]: refused });
  const answer = change().catch((error: Error) => error.message);
  const asking = await dialog();
  await user.type(asking.getByLabelText('Password'), 'secret');
  await user.click(asking.getByRole('button', { name: 'Confirm' }));
  expect(await answer).toBe('Please confirm that it is you.');
  expect(service.to(path)).toHaveLength(2);
});

test('any other 403 asks nothing', async () => {
  await open({ [path]: { status: 403, body: { message: 'This action is unauthorized.' } } });
  await expect(change()).rejects.toThrow('This action is unauthorized.');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('where the session ends behind the dialog, the request is refused and the next one is asked again', async () => {
  const over = { status: 401, body: { message: 'Unauthenticated.' } };
  const { dialog, user, where, router, queries } = await open({ [path]: refused, 'POST /api/profile/step-up': over });
  const answer = change().catch((error: Error) => error.message);
  const asking = await dialog();
  await user.type(asking.getByLabelText('Password'), 'secret');
  await user.click(asking.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(where()).toContain('/login'));
  expect(await answer).toBe('Please confirm that it is you.');
  queries.removeQueries();
  await router.navigate({ to: '/nowhere' } as never);
  await waitFor(async () => {
    void change().catch(() => undefined);
    expect(await screen.findByRole('dialog', {}, { timeout: 100 })).toBeDefined();
  });
});

test('a session of a provider is confirmed there: the browser goes to it, and knows the way back', async () => {
  const asking = { ...refused, body: { ...refused.body, step_up: ['provider'] } };
  const { service, dialog, user } = await open({
    [path]: asking,
    'POST /api/profile/step-up/options': itemOf({
      proofs: ['provider'],
      options: null,
      url: 'https://op.example/auth?prompt=login',
    }),
  });
  const visited: string[] = [];
  const { pathname, search, href } = location;
  vi.stubGlobal('location', { pathname, search, href, assign: (url: string) => void visited.push(url) });
  void change().catch(() => undefined);
  const provider = await (await dialog()).findByRole('button', { name: 'Continue to provider' });
  await user.click(provider);
  await waitFor(() => expect(visited).toEqual(['https://op.example/auth?prompt=login']));
  const here = `${pathname}${search}`;
  expect(service.to('POST /api/profile/step-up/options')[0]?.body).toEqual({ next: here });
  expect(JSON.parse(sessionStorage.getItem('tenure.sso') ?? '{}')).toEqual({ next: here, confirms: true });
  sessionStorage.clear();
});

test('an account with a passkey can confirm with a recovery code, where the browser knows no passkeys', async () => {
  const asking = { ...refused, body: { ...refused.body, step_up: ['passkey'] } };
  const { service, dialog, user } = await open({ [path]: asking });
  const answer = change();
  const form = await dialog();
  service.replies[path] = itemOf({ id: 3 });
  await user.type(await form.findByLabelText('Code'), 'ABCD-EFGH');
  expect(form.queryByRole('button', { name: 'Use your passkey' })).toBeNull();
  await user.click(form.getByRole('button', { name: 'Confirm' }));
  expect((await answer).data.id).toBe(3);
  expect(service.to('POST /api/profile/step-up').at(-1)?.body).toEqual({ recovery_code: 'ABCD-EFGH' });
});
