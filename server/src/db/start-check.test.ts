import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { connect } from './connect.ts';
import { checkConnections, refuseSuperuser } from './start-check.ts';

const { deps, database } = await startApp();

test('connections with the time zone and the time limit of the service are taken', async () => {
  await expect(checkConnections(deps.db, false)).resolves.toBeUndefined();
});

test('connections without them are refused with what to do', async () => {
  const { db } = connect({ url: database.ownerUrl, max: 1, pooler: true });
  await expect(checkConnections(db, false)).rejects.toThrow(
    /drops their options; set DATABASE_POOLER=on for a pooler$/,
  );
  await expect(checkConnections(db, true)).rejects.toThrow(/run "alter role "\w+" set timezone = 'UTC'; alter role /);
  await db.destroy();
});

test('the role of the application is no superuser', async () => {
  await expect(refuseSuperuser(deps.db)).resolves.toBeUndefined();
});
