import type { LetterTemplate } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/letter-templates/confirmation';

const letter = (fields: Partial<LetterTemplate> = {}): LetterTemplate => ({
  kind: 'confirmation',
  title: 'Confirmation',
  body: 'Dear {{employee_name}},',
  is_default: true,
  revision: 1,
  created_at: '2026-01-01T08:00:00.000Z',
  updated_at: '2026-01-01T08:00:00.000Z',
  allowed_actions: ['update'],
  ...fields,
});

const open = (shown: LetterTemplate, replies: Parameters<typeof serve>[0] = {}) => {
  const service = serve({
    'GET /api/me': signedInAs(['probation-review.view', 'probation-review.approve']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(shown),
    ...replies,
  });
  return { service, ...start('/probation/letters') };
};

test('a placeholder is inserted by its button, previewed with an example and saved', async () => {
  const { service, user } = open(letter(), {
    [`PUT ${path}`]: ({ body }) => itemOf(letter({ ...(body as object), is_default: false, revision: 2 })),
  });
  await screen.findByText('Dear Lena Park,');
  await user.click(screen.getByLabelText(/^Text/));
  await user.click(screen.getByRole('button', { name: 'Job title' }));
  await screen.findByText(/Buyer/);
  await user.click(screen.getByRole('button', { name: 'Save template' }));
  await screen.findByText('Custom text');
  expect(service.to(`PUT ${path}`)[0]?.body).toMatchObject({
    body: expect.stringContaining('{{job_title}}'),
    revision: 1,
  });
  await user.type(screen.getByLabelText(/^Title/), '!');
  await user.click(screen.getByRole('button', { name: 'Save template' }));
  await waitFor(() => expect(service.to(`PUT ${path}`)[1]?.body).toEqual({ title: 'Confirmation!', revision: 2 }));
});

test('a user who may not change a template sees it read-only', async () => {
  open(letter({ allowed_actions: [] }));
  await screen.findByText(/^You can view this template/);
  expect(screen.queryByRole('button', { name: 'Save template' })).toBeNull();
});

test('the preview shows the letterhead of the own company, and of another one that is selected', async () => {
  const brandOf = (name: string, fields: object = {}) =>
    itemOf({
      name: null,
      accent: null,
      logo: null,
      letter_address: null,
      letter_registration: 'HRB 90210',
      letter_footer: null,
      installation: { name: null, accent: '#8a1c4a', logo: { url: '/api/brand/logo', width: 80, height: 40 } },
      company: { name, address: '1 Mill Road, Leeds' },
      may_change: false,
      revision: 1,
      updated_at: '2026-01-01T08:00:00.000Z',
      ...fields,
    });
  const { user } = open(letter(), {
    'GET /api/me': signedInAs(['probation-review.view', 'probation-review.approve', 'entities.view']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: complete, roles: [], permissions: [] }),
    'GET /api/entities': listOf([complete.entity, { id: 2, name: 'Acme Retail' }]),
    [`GET /api/entities/${complete.entity.id}/brand`]: brandOf('Acme Foods Ltd'),
    'GET /api/entities/2/brand': brandOf('Acme Retail', { accent: '#0055aa', letter_address: 'Kai 1, Hamburg' }),
  });
  const preview = within(await screen.findByRole('region', { name: 'Preview' }));
  for (const text of ['Acme Foods Ltd', '1 Mill Road, Leeds', 'HRB 90210', 'Dear Lena Park,'])
    expect(await preview.findByText(text)).toBeDefined();
  const head = document.querySelector<HTMLElement>('[data-letterhead]');
  expect(head?.style.borderColor).toBe('rgb(138, 28, 74)');
  expect(head?.querySelector('img')?.getAttribute('src')).toContain('/api/brand/logo');
  await user.click(preview.getByRole('combobox', { name: /^Letterhead of/ }));
  await user.click(await screen.findByRole('option', { name: 'Acme Retail', hidden: true }));
  expect(await preview.findByText('Kai 1, Hamburg')).toBeDefined();
  expect(document.querySelector<HTMLElement>('[data-letterhead]')?.style.borderColor).toBe('rgb(0, 85, 170)');
});
