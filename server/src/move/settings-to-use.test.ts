import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { settingsToUse } from './settings-to-use.ts';

test('a server takes no WAL of ours, so its setting goes', () => {
  const address = 'postgres://tenure_app@127.0.0.1/tenure';
  const source = { name: 'the embedded database', isEmbedded: true } as Parameters<typeof settingsToUse>[1];
  const lines = (settings: Record<string, string>) =>
    settingsToUse(readConfig({ BACKUP_URL: '/backups', ...settings }), source, { appUrl: address, ownerUrl: address });
  const remove = '  remove BACKUP_WAL: it is for the embedded database';
  expect(lines({ BACKUP_WAL: 'on' })).toContain(remove);
  expect(lines({})).not.toContain(remove);
});
