import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill, pick } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const provider = {
  id: 7,
  name: 'Acme ID',
  is_enabled: true,
  issuer: 'https://op.acme.example',
  client_id: 'tenure',
  client_auth: 'client_secret_basic',
  has_client_secret: true,
  scopes: ['openid'],
  entity_ids: null,
  domains: [],
  match_rule: 'verified_email',
  subject_claim: 'sub',
  address_claim: 'email',
  second_factor: 'never',
  second_factor_values: [],
  session_max_hours: null,
  groups_claim: 'groups' as string | null,
  groups_missing_count: 0,
  return_address: 'https://hr.acme.example/sso/callback/7',
  checked_at: '2026-11-20T09:00:00.000Z',
  tested_at: null,
  linked_count: 5,
  unmatched_count: 0,
  revision: 4,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  allowed_actions: ['update', 'disable', 'delete'],
};
const hr = { id: 2, name: 'HR' };
const rule = {
  value: 'hr',
  role: hr,
  scope: 'all',
  managed_depth: 'direct',
  entities: [{ id: 1, name: 'Acme GmbH' }],
};
const known = (fields: object = {}) => ({
  groups_claim: 'groups',
  rules: [rule],
  seen: [{ value: 'hr-emea', people: 4 }],
  known: 4,
  unknown: 1,
  roles: [
    { ...hr, limitable: true, in_departments: true },
    { id: 5, name: 'Employee', limitable: false, in_departments: false },
  ],
  entities: null,
  revision: 4,
  ...fields,
});
const impact = (fields: object = {}) => ({ gains: [], losses: [], people: 0, confirm: null, ...fields });

const path = '/api/identity-providers/7/role-rules';
function open(replies: Parameters<typeof serve>[0] = {}) {
  const service = serve({
    'GET /api/me': signedInAs(['identity.manage', 'entities.view', 'departments.view']),
    'GET /api/identity-providers/7': itemOf(provider),
    [`GET ${path}`]: itemOf(known()),
    'GET /api/entities': listOf([
      { id: 1, name: 'Acme GmbH' },
      { id: 2, name: 'Acme Ltd' },
    ]),
    'GET /api/departments': listOf([]),
    ...replies,
  });
  return { service, ...start('/settings/sign-in?provider=7') };
}
/** The part of the page that loads last. */
async function form() {
  await screen.findByRole('heading', { level: 1, name: 'Acme ID' });
  await screen.findByRole('heading', { level: 2, name: 'Groups and roles' });
  return within(await screen.findByRole('form', { name: 'Groups and roles' }));
}

test('a rule is added, its effect is reviewed, and it is saved after a typed confirmation', async () => {
  const { service, user } = open({
    [`POST ${path}/preview`]: itemOf(
      impact({ gains: [{ role: hr, people: 3 }], losses: [{ role: hr, people: 1 }], people: 4, confirm: 'Acme ID' }),
    ),
    [`PUT ${path}`]: itemOf(known({ revision: 5 })),
  });
  const rules = await form();
  expect(rules.queryByRole('button', { name: 'Review changes…' })).toBeNull();
  await user.click(rules.getByRole('button', { name: 'Add rule' }));
  const second = within(rules.getByRole('group', { name: 'Rule 2' }));
  fill(second.getByLabelText('Group'), 'hr-emea');
  await user.selectOptions(second.getByLabelText('Role'), 'HR');
  await pick(user, second.getByRole('combobox', { name: 'In these companies' }), 'Acme Ltd');
  await user.click(rules.getByRole('button', { name: 'Review changes…' }));
  const sent = [
    { value: 'hr', role_id: 2, entity_ids: [1] },
    { value: 'hr-emea', role_id: 2, entity_ids: [2] },
  ];
  const dialog = await dialogOf('Review the rules of Acme ID');
  expect(service.to(`POST ${path}/preview`)[0]?.body).toEqual({ rules: sent });
  expect(dialog.getByText('3 people gain it')).toBeDefined();
  expect(dialog.getByText('1 person loses it')).toBeDefined();
  const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save rules' });
  expect(save.disabled).toBe(true);
  fill(dialog.getByLabelText('Type Acme ID to confirm'), 'Acme ID');
  await user.click(save);
  expect(await screen.findByText('Rules saved. They’re being applied.')).toBeDefined();
  expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ rules: sent, revision: 4, confirm: 'Acme ID' });
});

test('with more companies than a list has, others are found by typing; those chosen keep their names', async () => {
  const [first, last] = [
    { id: 1, name: 'Acme GmbH' },
    { id: 140, name: 'Zenith Ltd' },
  ];
  const page = (rows: readonly object[]) => {
    const { body } = listOf(rows) as { body: { meta: object } };
    return { body: { ...body, meta: { ...body.meta, total: 140, last_page: 2 } } };
  };
  const { service, user } = open({
    'GET /api/entities': ({ url }) => (url.searchParams.get('search') === 'zen' ? listOf([last]) : page([first])),
    [`GET ${path}`]: itemOf(known({ rules: [{ ...rule, entities: [{ id: 130, name: 'Yonder Ltd' }] }] })),
    [`POST ${path}/preview`]: itemOf(impact()),
  });
  const rules = await form();
  const group = within(rules.getByRole('group', { name: 'Rule 1' }));
  const field = group.getByRole('combobox', { name: 'In these companies' });
  expect(group.getByText('Yonder Ltd')).toBeDefined();
  await user.click(field);
  await user.type(field, 'zen');
  const offered = within(document.getElementById(field.getAttribute('aria-controls') ?? '') as HTMLElement);
  const found = await offered.findByRole('option', { name: 'Zenith Ltd', hidden: true });
  expect(offered.queryByRole('option', { name: 'Acme GmbH', hidden: true })).toBeNull();
  await user.click(found);
  await user.click(rules.getByRole('button', { name: 'Review changes…' }));
  expect(group.getByText('Zenith Ltd')).toBeDefined();
  await waitFor(() =>
    expect(service.to(`POST ${path}/preview`)[0]?.body).toEqual({
      rules: [{ value: 'hr', role_id: 2, entity_ids: [130, 140] }],
    }),
  );
});

test('a wrong rule is marked at its field, and nothing is reviewed', async () => {
  const bad = 'Acme ID signs in people of some companies only. Limit the role to these companies.';
  const { user } = open({
    [`POST ${path}/preview`]: { status: 422, body: { message: bad, errors: { 'rules.0.entity_ids': [bad] } } },
  });
  const rules = await form();
  await user.click(rules.getByRole('button', { name: 'Add rule' }));
  const first = within(rules.getByRole('group', { name: 'Rule 1' }));
  fill(first.getByLabelText('Group'), 'hr-other');
  await user.click(rules.getByRole('button', { name: 'Review changes…' }));
  const field = first.getByRole('combobox', { name: 'In these companies' });
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText(bad)).toHaveLength(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('rules are removed without a confirmation where few are affected, and changes can be discarded', async () => {
  const { service, user } = open({
    [`POST ${path}/preview`]: itemOf(impact()),
    [`PUT ${path}`]: itemOf(known({ rules: [], revision: 5 })),
  });
  const rules = await form();
  await user.click(rules.getByRole('button', { name: 'Remove rule' }));
  await user.click(rules.getByRole('button', { name: 'Discard changes' }));
  await user.click(rules.getByRole('button', { name: 'Remove rule' }));
  await user.click(rules.getByRole('button', { name: 'Review changes…' }));
  const dialog = await dialogOf('Review the rules of Acme ID');
  expect(dialog.getByText('No one’s roles change now.')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Save rules' }));
  await waitFor(() => expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ rules: [], revision: 4 }));
  expect(await screen.findByText('No group gives a role yet.')).toBeDefined();
});

test('sign-ins without groups are shown', async () => {
  open({ 'GET /api/identity-providers/7': itemOf({ ...provider, groups_missing_count: 3 }) });
  expect(await screen.findByText(/^3 people last signed in without groups, and keep the same roles\./)).toBeDefined();
});

test('without a claim for groups the page says what to enter first', async () => {
  open({ 'GET /api/identity-providers/7': itemOf({ ...provider, groups_claim: null }) });
  expect(await screen.findByText('To begin, enter the claim with the groups above and save.')).toBeDefined();
});
