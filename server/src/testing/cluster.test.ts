import { Client } from 'pg';
import { expect, inject, test } from 'vitest';

async function asRole<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('the owner may create databases and tables, the application role neither', async () => {
  const { ownerUrl, appUrl } = inject('cluster');
  await asRole(ownerUrl, async (client) => {
    await client.query('create database cluster_test');
    await client.query('drop database cluster_test');
  });
  await asRole(appUrl, async (client) => {
    await expect(client.query('create database cluster_test')).rejects.toThrow('permission denied');
    await expect(client.query('create table t ()')).rejects.toThrow('permission denied');
    const { rows } = await client.query('select rolname from pg_roles where rolsuper and rolname like $1', ['tenure%']);
    expect(rows).toEqual([]);
  });
});

test('a wrong password opens nothing', async () => {
  const url = new URL(inject('cluster').appUrl);
  url.password = 'wrong';
  await expect(asRole(url.href, () => Promise.resolve())).rejects.toThrow('password authentication failed');
});

test('the address of another database is the same URL with another path', async () => {
  const url = new URL(inject('cluster').ownerUrl);
  url.pathname = '/template1';
  const { rows } = await asRole(url.href, (client) => client.query('select current_database() as name'));
  expect(rows).toEqual([{ name: 'template1' }]);
});
