import { expect, test } from 'vitest';
import { cloneDatabase } from '../testing/databases.ts';
import { newBackupId } from './manifest.ts';
import { readFacts, withConnection } from './snapshot.ts';

test('names of backups of one second sort by time', () => {
  const times = ['2026-11-26T22:14:03.007Z', '2026-11-26T22:14:03.163Z', '2026-11-26T22:14:03.999Z'];
  for (let round = 0; round < 50; round += 1) {
    const ids = times.map(newBackupId);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^20261126T221403Z-[0-9a-f]{6}$/);
  }
});

test('the time of a backup has milliseconds', async () => {
  const { ownerUrl } = await cloneDatabase();
  const { at } = await withConnection('backup', ownerUrl, readFacts);
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});
