import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

function open(permissions: readonly string[]) {
  serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/sealed-secrets': {
      body: {
        data: [
          { key: 'Qm9vbTEyMzQ1', state: 'current', count: 1_204 },
          { key: 'T2xkS2V5MTIz', state: 'previous', count: 3 },
          { key: 'RW1wdHlLZXkx', state: 'previous', count: 0 },
          { key: 'TG9zdEtleTEy', state: 'unknown', count: 2 },
        ],
      },
    },
  });
  return start('/settings/sealing-keys');
}

test('an administrator sees which key seals how many secrets, and which earlier key can go', async () => {
  open(['identity.manage']);
  const table = await screen.findByRole('region', { name: 'Sealing keys' });
  const [, ...rows] = within(table).getAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Qm9vbTEyMzQ1Current1,204Nothing. New secrets are sealed with it.',
    'T2xkS2V5MTIzEarlier3Keep it in APP_PREVIOUS_KEYS. Every hour, secrets are resealed with the current key.',
    'RW1wdHlLZXkxEarlier0It no longer seals anything. You can remove it from APP_PREVIOUS_KEYS.',
    'TG9zdEtleTEyMissing2Add it to APP_PREVIOUS_KEYS, or enter these secrets again.',
  ]);
  expect(screen.getByRole('link', { name: 'Sealing keys' })).toBeDefined();
});

test('without the permission there is no entry in the navigation', async () => {
  open(['employees.view', 'backups.view']);
  await screen.findByRole('region', { name: 'Sealing keys' });
  expect(screen.queryByRole('link', { name: 'Sealing keys' })).toBeNull();
});
