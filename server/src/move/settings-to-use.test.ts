import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { settingsToUse } from './settings-to-use.ts';

const address = 'postgres://tenure_app@127.0.0.1/tenure';
const source = { name: 'the embedded database', isEmbedded: true } as Parameters<typeof settingsToUse>[1];
const lines = (settings: Record<string, string>) =>
  settingsToUse(readConfig({ BACKUP_URL: '/backups', ...settings }), source, { appUrl: address, ownerUrl: address });

test('a server takes no WAL of ours, so its setting goes', () => {
  const remove = '  remove BACKUP_WAL: it works with the embedded database only';
  expect(lines({ BACKUP_WAL: 'on' })).toContain(remove);
  expect(lines({})).not.toContain(remove);
});

test('a server needs the key as a setting, or a new one where a restore brought none', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = () => lines({ DATA_DIR: folder }).filter((line) => line.includes('APP_KEY'));
  expect(keys()).toEqual([`  APP_KEY=… from openssl rand -base64 32: ${folder} has no key`]);
  writeFileSync(join(folder, 'app.key'), 'a key');
  expect(keys()).toEqual([expect.stringContaining(`APP_KEY_FILE=${folder}/app.key, which has the key`)]);
});
