import { expect, test } from 'vitest';
import { countSecrets, readSecret, sealedColumns, storeSecret } from '../access/sealed-columns.ts';
import { randomBytes } from '../crypto/crypto.ts';
import { keyRing } from '../crypto/keys.ts';
import type { KeyRing } from '../crypto/keys.ts';
import { startApp } from '../testing/app.ts';
import { resealSecrets } from './secrets.ts';

const { deps, owner, make, logged } = await startApp();
const [a, b] = [randomBytes(32), randomBytes(32)];
const [column] = sealedColumns;
const now = Temporal.Now.instant();

/** More than one batch of the job. */
const secrets = new Map<number, Buffer>();
const { user_id } = await make.employee();
for (let count = 0; count < 250; count += 1) {
  const { id } = await deps.db
    .insertInto('authenticators')
    .values({ user_id, kind: 'totp', name: `Phone ${count}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  secrets.set(id, randomBytes(20));
  await storeSecret(deps.db, keyRing(a), column, id, secrets.get(id) as Buffer);
}

const reseal = (ring: KeyRing) => resealSecrets({ deps: { ...deps, ring }, now });
const counts = async () => Object.fromEntries((await countSecrets(deps.db)).map(({ kid, count }) => [kid, count]));
const events = (event: string) =>
  logged.map((line) => JSON.parse(line) as { event?: string; count?: number }).filter((line) => line.event === event);

async function unreadable(ring: KeyRing): Promise<number> {
  let found = 0;
  for (const [id, secret] of secrets) if (!(await readSecret(deps.db, ring, column, id))?.equals(secret)) found += 1;
  return found;
}

const kid = (key: Buffer) => keyRing(key).current.kid;

test('the key changes from [A] over [B, A] to [B], and each secret stays readable at every step', async () => {
  expect([await counts(), await unreadable(keyRing(a))]).toEqual([{ [kid(a)]: 250 }, 0]);
  await reseal(keyRing(a));
  expect(events('secrets_resealed')).toEqual([]);

  const both = keyRing(b, [a]);
  expect(await unreadable(both)).toBe(0);
  await reseal(both);
  expect([await counts(), await unreadable(both)]).toEqual([{ [kid(b)]: 250 }, 0]);
  expect(events('secrets_resealed')).toMatchObject([{ where: 'authenticators.secret', count: 250 }]);

  const last = keyRing(b);
  expect(await unreadable(last)).toBe(0);
  await reseal(last);
  expect(events('secrets_resealed')).toHaveLength(1);
  expect(events('secrets_unreadable')).toEqual([]);
});

test('a secret moved to another row does not open there', async () => {
  const [from, to] = [...secrets.keys()].slice(-2) as [number, number];
  const move = (id: number, other: number) =>
    owner.query(
      `with kept as (select secret from authenticators where id = $2)
       update authenticators set secret = kept.secret from kept where id = $1`,
      [id, other],
    );
  expect(await readSecret(deps.db, keyRing(b), column, to)).toEqual(secrets.get(to));
  await move(to, from);
  expect(await readSecret(deps.db, keyRing(b), column, to)).toBeNull();
  await storeSecret(deps.db, keyRing(b), column, to, secrets.get(to) as Buffer);
  expect(await unreadable(keyRing(b))).toBe(0);
});

test('a lost key is reported with each run, changes nothing, and its return mends all', async () => {
  const c = randomBytes(32);
  await reseal(keyRing(c));
  expect(events('secrets_unreadable').at(-1)).toMatchObject({ where: 'authenticators.secret', count: 250 });
  expect(await counts()).toEqual({ [kid(b)]: 250 });
  await reseal(keyRing(c, [b]));
  expect([await counts(), await unreadable(keyRing(c))]).toEqual([{ [kid(c)]: 250 }, 0]);
});

test('a secret that changes while it is sealed again keeps the change', async () => {
  const [id] = [...secrets.keys()] as [number];
  const ring = keyRing(randomBytes(32), [a]);
  await storeSecret(deps.db, keyRing(a), column, id, Buffer.from('old'));
  const blocker = await owner.connect();
  await blocker.query('begin');
  await blocker.query('select from authenticators where id = $1 for update', [id]);
  const running = reseal(ring);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await blocker.query('update authenticators set secret = null where id = $1', [id]);
  await blocker.query('commit');
  blocker.release();
  await running;
  expect(await readSecret(deps.db, ring, column, id)).toBeNull();
});

test('text that is not sealed is refused by the database', async () => {
  await expect(
    owner.query("update authenticators set secret = 'JBSWY3DPEHPK3PXP' where user_id = $1", [user_id]),
  ).rejects.toThrow('authenticators_secret_sealed');
});

test('each column that the database demands to be sealed is one that the job walks', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select conrelid::regclass::text as name from pg_constraint where conname like '%\\_sealed' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(sealedColumns.map(({ table }) => table));
});
