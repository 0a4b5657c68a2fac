import type { CriteriaSet } from '@tenure/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/probation-criteria-sets';

const office = (fields: Partial<CriteriaSet> = {}): CriteriaSet => ({
  id: 3,
  entity_id: 1,
  entity: { id: 1, name: 'Acme Foods Ltd' },
  name: 'Office',
  criteria: [
    { name: 'Knowledge', weight: 60 },
    { name: 'Teamwork', weight: 40 },
  ],
  is_proposed: true,
  may_adapt: false,
  revision: 2,
  created_at: '2026-01-01T08:00:00.000Z',
  updated_at: '2026-01-01T08:00:00.000Z',
  allowed_actions: ['update', 'delete'],
  ...fields,
});

const open = (sets: CriteriaSet[], replies: Parameters<typeof serve>[0] = {}, search = '') => {
  const service = serve({
    'GET /api/me': signedInAs(['probation-review.view', 'probation-review.create', 'entities.view']),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    [`GET ${path}`]: listOf(sets),
    [`GET ${path}/3`]: itemOf(office()),
    ...replies,
  });
  return { service, ...start(`/probation/criteria${search}`) };
};

test('lists the sets with their criteria and their use', async () => {
  open([office(), office({ id: 4, name: 'Warehouse', is_proposed: false, may_adapt: true })]);
  const [, first, second] = await screen.findAllByRole('row');
  within(first as HTMLElement).getByText('Knowledge 60% · Teamwork 40%');
  within(first as HTMLElement).getByText('Used for new reviews');
  within(first as HTMLElement).getByText('Reviewers can’t change it');
  within(second as HTMLElement).getByText('Not used');
  expect(within(second as HTMLElement).queryByText('Reviewers can’t change it')).toBeNull();
});

test('without a set, the page says what that means and offers to add one', async () => {
  const { user } = open([]);
  await screen.findByText('Without a set, reviewers define their own criteria.');
  const [, inMessage] = screen.getAllByRole('button', { name: 'Add criteria set' });
  await user.click(inMessage as HTMLElement);
  expect(await screen.findByRole('dialog', { name: 'Add a criteria set' })).toBeDefined();
});

test('a set is added with whole percent that are spread evenly', async () => {
  const { service, user } = open([], { [`POST ${path}`]: itemOf(office({ name: 'Sales' })) }, '?dialog=add');
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText(/^Name/), 'Sales');
  await user.click(dialog.getByRole('combobox', { name: /^Company/ }));
  const options = await screen.findAllByRole('option', { name: 'Acme Foods Ltd', hidden: true });
  await user.click(options.at(-1) as HTMLElement);
  await user.click(dialog.getByRole('button', { name: 'Add criterion' }));
  for (const [place, name] of ['Knowledge', 'Teamwork', 'Care'].entries())
    await user.type(dialog.getByLabelText(`Criterion ${place + 1}`), name);
  await user.type(dialog.getByLabelText('Guidance for criterion 2'), 'Helps others.');
  await user.click(dialog.getByRole('button', { name: 'Distribute evenly' }));
  await user.click(dialog.getByRole('switch', { name: /^Reviewers can adapt the criteria/ }));
  await user.click(dialog.getByRole('button', { name: 'Add set' }));
  await screen.findByText('Sales was added.');
  expect(service.to(`POST ${path}`)[0]?.body).toEqual({
    entity_id: 1,
    name: 'Sales',
    is_proposed: true,
    may_adapt: false,
    criteria: [
      { name: 'Knowledge', weight: 34 },
      { name: 'Teamwork', weight: 33, guidance: 'Helps others.' },
      { name: 'Care', weight: 33 },
    ],
  });
});

test('a change sends what changed; a refusal is at its field', async () => {
  const errors = { criteria: ['The weights add up to 90; they must add up to exactly 100.'] };
  const { service, user } = open(
    [office()],
    { [`PUT ${path}/3`]: { status: 422, body: { message: 'No.', errors } } },
    '?dialog=edit&set=3',
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Office' }));
  await user.clear(dialog.getByLabelText('Weight of criterion 2'));
  await user.type(dialog.getByLabelText('Weight of criterion 2'), '30');
  dialog.getByText(/^10(\.00)?% unallocated$/);
  await user.click(dialog.getByRole('button', { name: 'Save set' }));
  await dialog.findByText(/^The weights add up to 90/);
  expect(service.to(`PUT ${path}/3`)[0]?.body).toEqual({
    criteria: [
      { name: 'Knowledge', weight: 60 },
      { name: 'Teamwork', weight: 30 },
    ],
    revision: 2,
  });
});

test('deleting says what becomes of reviews, and names the set', async () => {
  const { service, user } = open([office()], { [`DELETE ${path}/3`]: { status: 204 } }, '?dialog=edit&set=3');
  const edit = within(await screen.findByRole('dialog', { name: 'Edit Office' }));
  await user.click(edit.getByRole('button', { name: 'Delete set' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Office?' }));
  dialog.getByText(/^New reviews of Acme Foods Ltd will no longer start with it/);
  await user.click(dialog.getByRole('button', { name: 'Delete set' }));
  await screen.findByText('Office was deleted.');
  expect(service.to(`DELETE ${path}/3`)).toHaveLength(1);
});
