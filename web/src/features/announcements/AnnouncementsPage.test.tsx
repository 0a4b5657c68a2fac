import type { Announcement } from '@tenure/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const path = '/api/announcements';

const party = (fields: Partial<Announcement> = {}): Announcement => ({
  id: 3,
  title: 'Summer party',
  body: 'On the roof.',
  entities: [{ id: 1, name: 'Acme Foods' }],
  starts_on: '2026-06-01',
  ends_on: '2026-06-14',
  state: 'running',
  revision: 2,
  created_at: '2026-01-01T08:00:00.000Z',
  updated_at: '2026-01-01T08:00:00.000Z',
  allowed_actions: ['update', 'delete'],
  ...fields,
});

const everywhere = { role_assignments: [{ role_id: 1, role: 'HR', scope: 'all', entity_ids: null }] };
const open = (
  rows: Announcement[],
  replies: Parameters<typeof serve>[0] = {},
  search = '',
  user: object = everywhere,
) => {
  const service = serve({
    'GET /api/me': signedInAs(['announcements.manage', 'entities.view'], user as Record<string, unknown>),
    'GET /api/entities': listOf([
      { id: 1, name: 'Acme Foods' },
      { id: 2, name: 'Acme Retail' },
    ]),
    [`GET ${path}`]: listOf(rows),
    [`GET ${path}/3`]: itemOf(party()),
    ...replies,
  });
  return { service, ...start(`/announcements${search}`) };
};

test('lists the announcements with their companies, days and status', async () => {
  open([party(), party({ id: 4, title: 'Parking', entities: null, state: 'planned' })]);
  const [, first, second] = await screen.findAllByRole('row');
  expect(first?.textContent).toBe('Summer partyAcme Foods1 Jun 202614 Jun 2026Shown now');
  within(second as HTMLElement).getByText('All companies');
  within(second as HTMLElement).getByText('Planned');
});

test('an announcement for all companies is published', async () => {
  const { service, user } = open([], { [`POST ${path}`]: itemOf(party({ title: 'News' })) });
  const [button] = await screen.findAllByRole('button', { name: 'New announcement' });
  await user.click(button as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'New announcement' }));
  await user.type(dialog.getByLabelText(/^Title/), 'News');
  await user.type(dialog.getByLabelText(/^Text/), 'All is well.');
  await user.click(dialog.getByRole('checkbox', { name: 'All companies' }));
  await user.click(dialog.getByRole('button', { name: 'Publish announcement' }));
  expect(await screen.findByText('News was added.')).toBeTruthy();
  expect(service.to(`POST ${path}`)[0]?.body).toMatchObject({ title: 'News', body: 'All is well.', entity_ids: null });
});

test('a user with a limited role selects companies, and a refusal is shown at its field', async () => {
  const { user } = open(
    [],
    {
      [`POST ${path}`]: {
        status: 422,
        body: { message: 'x', errors: { entity_ids: ['The selected companies is invalid.'], ends_on: ['Too early.'] } },
      },
    },
    '?dialog=add',
    { role_assignments: [{ role_id: 1, role: 'HR', scope: 'all', entity_ids: [1] }] },
  );
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByRole('checkbox', { name: 'All companies' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Publish announcement' }));
  expect(await dialog.findByText('The selected companies is invalid.')).toBeTruthy();
  expect(dialog.getByText('Too early.')).toBeTruthy();
});

test('deleting says what happens and asks first', async () => {
  const { service, user } = open([party()], { [`DELETE ${path}/3`]: { status: 204 } }, '?dialog=edit&announcement=3');
  await user.click(await screen.findByRole('button', { name: 'Delete announcement' }));
  expect(await screen.findByText('It disappears from everyone’s home page. You can’t undo this.')).toBeTruthy();
  expect(service.to(`DELETE ${path}/3`)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Delete announcement' }));
  expect(await screen.findByText('Summer party was deleted.')).toBeTruthy();
});

test('without announcements the page says what they are for; filters that find nothing are cleared', async () => {
  const { user, where } = open([], {}, '?state=ended');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(where()).toBe('/announcements');
  expect(await screen.findByText('No announcements yet')).toBeTruthy();
});

test('companies are searched by the service, and a selected one keeps its name', async () => {
  const { service, user } = open([], {
    'GET /api/entities': ({ url }) => {
      const search = url.searchParams.get('search') ?? '';
      const beyond = [
        { id: 950, name: 'Zeta Logistics' },
        { id: 951, name: 'Zeta Tools' },
      ];
      return listOf(
        search === '' ? [{ id: 1, name: 'Acme Foods' }] : beyond.filter(({ name }) => name.includes(search)),
      );
    },
    [`POST ${path}`]: itemOf(party()),
  });
  const [button] = await screen.findAllByRole('button', { name: 'New announcement' });
  await user.click(button as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'New announcement' }));
  await user.type(dialog.getByLabelText(/^Title/), 'News');
  await user.type(dialog.getByLabelText(/^Text/), 'All is well.');
  const field = dialog.getByRole('combobox', { name: /^Companies/ });
  await user.type(field, 'Logistics');
  await user.click(await screen.findByRole('option', { name: 'Zeta Logistics', hidden: true }));
  await user.type(field, 'Tools');
  await user.click(await screen.findByRole('option', { name: 'Zeta Tools', hidden: true }));
  expect(dialog.getByText('Zeta Logistics')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Publish announcement' }));
  await screen.findByText('Summer party was added.');
  expect(service.to(`POST ${path}`)[0]?.body).toMatchObject({ entity_ids: [950, 951] });
});
