import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const others = { passkeys: [], passkeys_work: false, sign_in_through: null, password_sign_in: true };
const none = itemOf({ totp: null, recovery_codes_left: 0, ...others });
const some = (recovery_codes_left: number) =>
  itemOf({
    totp: { added_at: '2026-04-18T07:58:10.000Z', last_used_at: '2026-04-19T07:58:10.000Z' },
    recovery_codes_left,
    ...others,
  });
const codes = ['AAAA-BBBB-CCCC-DDDD', 'EEEE-FFFF-GGGG-HHHH'];
const wrong = 'The code is not right.';

async function open(security: Parameters<typeof serve>[0][string]) {
  const service = serve({
    'GET /api/me': signedInAs([]),
    'GET /api/profile/sessions': listOf([]),
    'GET /api/profile/security': security,
    'POST /api/profile/totp': {
      ...itemOf({ secret: 'ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP', otpauth_url: 'otpauth://totp/Tenure:a?secret=A' }),
      status: 201,
    },
  });
  const application = start('/profile?part=security');
  await screen.findByRole('heading', { name: 'Two-step sign-in' });
  return { service, ...application };
}

test('an app is set up by a code of it; its recovery codes stay on the screen until they are saved', async () => {
  const { service, user } = await open(none);
  service.replies['POST /api/profile/totp/confirm'] = ({ body }) => {
    if ((body as { code: string }).code !== '123456')
      return { status: 422, body: { message: wrong, errors: { code: [wrong] } } };
    service.replies['GET /api/profile/security'] = some(10);
    return itemOf({ recovery_codes: codes });
  };
  await user.click(await screen.findByRole('button', { name: 'Set up authenticator app' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up authenticator app' }));
  expect(await dialog.findByRole('img', { name: 'QR code for the authenticator app' })).toBeDefined();
  await user.type(dialog.getByLabelText('Code'), '000000{Enter}');
  expect(await dialog.findByText(wrong)).toBeDefined();
  await user.type(dialog.getByLabelText('Code'), '123456{Enter}');
  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(codes);
  expect(await screen.findByText('10 codes left')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'I’ve saved my codes' }));
  await waitFor(() => expect(screen.queryByText(codes[0] as string)).toBeNull());
  expect(screen.getByText('Authenticator app')).toBeDefined();
});

test('new recovery codes are asked for before the earlier ones end', async () => {
  const { service, user } = await open(some(2));
  service.replies['POST /api/profile/recovery-codes'] = { ...itemOf({ recovery_codes: codes }), status: 201 };
  expect(await screen.findAllByText('2 codes left')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Create new codes' }));
  const dialog = await screen.findByRole('dialog', { name: 'Create new recovery codes?' });
  expect(service.to('POST /api/profile/recovery-codes')).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Create new codes' }));
  expect(await screen.findByText(codes[1] as string)).toBeDefined();
});

test('the app is removed after a question; what the service refuses is shown there', async () => {
  const { service, user } = await open(some(10));
  const demanded = 'Your account needs a second factor, so the last one can’t be removed.';
  service.replies['DELETE /api/profile/totp'] = {
    status: 422,
    body: { message: demanded, errors: { totp: [demanded] } },
  };
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove authenticator app?' }));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await dialog.findByText(demanded)).toBeDefined();
  service.replies['DELETE /api/profile/totp'] = { status: 204 };
  service.replies['GET /api/profile/security'] = none;
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Authenticator app removed.')).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Set up authenticator app' })).toBeDefined();
});
