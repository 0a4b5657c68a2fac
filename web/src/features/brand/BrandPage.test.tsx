import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const stored = { name: null, accent: null, logo: null, revision: 1, updated_at: '2026-11-22T10:00:00.000Z' };
const company = {
  ...stored,
  letter_address: null,
  letter_registration: 'HRB 1',
  letter_footer: null,
  installation: { name: 'Acme People', accent: '#8a1c4a', logo: null },
  company: { name: 'North Ltd', address: 'Kai 1' },
  may_change: true,
};

const open = (address: string, mayChange = true) => {
  const service = serve({
    'GET /api/me': signedInAs(['brand.manage', 'entities.view']),
    'GET /api/brand/settings': itemOf(stored),
    'PUT /api/brand/settings': itemOf({ ...stored, name: 'Acme People', accent: '#aabbcc', revision: 2 }),
    'DELETE /api/brand/settings': { status: 204 },
    'GET /api/entities/3/brand': itemOf({ ...company, may_change: mayChange }),
    'PUT /api/entities/3/brand': itemOf({ ...company, letter_footer: 'north.example', revision: 2 }),
  });
  return { service, ...start(address) };
};

test('name and colour are saved, and the preview shows them while they are typed', async () => {
  const { service, user } = open('/settings/brand');
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Acme People');
  const preview = screen.getByRole('region', { name: 'Preview' });
  expect(within(preview).getAllByText('Acme People')).toHaveLength(2);
  await user.type(screen.getByRole('textbox', { name: 'Accent colour' }), '#abc');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Brand saved.')).toBeTruthy();
  expect(service.to('PUT /api/brand/settings').at(-1)).toMatchObject({
    body: { name: 'Acme People', accent: '#aabbcc', revision: 1 },
  });
});

test('the letter of a name that begins with a picture is a whole character', async () => {
  const { user } = open('/settings/brand');
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), '🦊 Fox');
  expect(within(screen.getByRole('region', { name: 'Preview' })).getAllByText('🦊').length).toBeGreaterThan(0);
});

test('a reset names its consequence and is confirmed', async () => {
  const { service, user } = open('/settings/brand');
  await user.click(await screen.findByRole('button', { name: 'Reset to default' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset the brand?' }));
  expect(dialog.getByText(/The logo can’t be restored/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Reset brand' }));
  await expect.poll(() => service.to('DELETE /api/brand/settings').at(-1)).toBeDefined();
});

test('a company shows what applies without its own brand, and its letterhead', async () => {
  const { service, user } = open('/companies/3/brand');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  expect(name).toHaveProperty('placeholder', 'Acme People');
  const letter = within(screen.getByRole('region', { name: 'Letterhead preview' }));
  expect(letter.getByText('North Ltd')).toBeTruthy();
  expect(letter.getByText('Kai 1')).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Footer' }), 'north.example');
  expect(letter.getByText('north.example')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await expect
    .poll(() => service.to('PUT /api/entities/3/brand').at(-1))
    .toMatchObject({ body: { letter_footer: 'north.example', revision: 1 } });
});

test('without the right to change it a company has no buttons', async () => {
  open('/companies/3/brand', false);
  expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveProperty('readOnly', true);
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Reset to default' })).toBeNull();
});

test('a refused colour is shown at its field', async () => {
  const { service, user } = open('/settings/brand');
  service.replies['PUT /api/brand/settings'] = {
    status: 422,
    body: {
      message: 'Enter a colour as # and six digits, such as #0c6b63.',
      errors: { accent: ['Enter a colour as # and six digits, such as #0c6b63.'] },
    },
  };
  await user.type(await screen.findByRole('textbox', { name: 'Accent colour' }), 'red');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Enter a colour as # and six digits, such as #0c6b63.')).toBeTruthy();
});
