import type { LetterTemplate } from '@tenure/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, serve, signedInAs } from '../../../testing/service.ts';
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
