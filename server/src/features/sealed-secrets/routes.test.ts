import { expect, test } from 'vitest';
import { sealedColumns, storeSecret } from '../../access/sealed-columns.ts';
import { randomBytes } from '../../crypto/crypto.ts';
import { keyRing } from '../../crypto/keys.ts';
import { startApp } from '../../testing/app.ts';

const { deps, owner, make, as } = await startApp();
const [column] = sealedColumns;
const lost = keyRing(randomBytes(32));
const { user_id } = await make.employee();

async function sealedBy(ring = deps.ring) {
  const { id } = await deps.db
    .insertInto('authenticators')
    .values({ user_id, kind: 'totp', name: 'Phone' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeSecret(deps.db, ring, column, id, randomBytes(20));
}

test('an administrator counts secrets by key, and no other role does', async () => {
  const admin = await as((await make.admin()).user_id);
  const own = deps.ring.current.kid;
  expect((await admin.get('/api/sealed-secrets')).body).toEqual({ data: [{ key: own, state: 'current', count: 0 }] });
  await sealedBy();
  await sealedBy();
  await sealedBy(lost);
  const { status, body } = await admin.get('/api/sealed-secrets');
  expect([status, body]).toEqual([
    200,
    {
      data: [
        { key: own, state: 'current', count: 2 },
        { key: lost.current.kid, state: 'unknown', count: 1 },
      ],
    },
  ]);
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await hr.get('/api/sealed-secrets')).status).toBe(403);
  expect((await (await as()).get('/api/sealed-secrets')).status).toBe(401);
});

test('the permission reaches no company administrator', async () => {
  const { rows } = await owner.query<{ id: number }>(
    "insert into roles (name, scope) values ('Local IT', 'all') returning id",
  );
  await owner.query("insert into role_permissions (role_id, permission) values ($1, 'identity.manage')", [rows[0]?.id]);
  const { user_id: local, entity_id } = await make.employee({ roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    local,
    rows[0]?.id,
    [entity_id],
  ]);
  expect((await (await as(local)).get('/api/sealed-secrets')).status).toBe(403);
});

test('the metrics count them by key', async () => {
  const text = await deps.metrics.text();
  expect(text).toContain(`tenure_sealed_secrets{key="${deps.ring.current.kid}"} 2`);
  expect(text).toContain(`tenure_sealed_secrets{key="${lost.current.kid}"} 1`);
});
