import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { cloneDatabase } from './databases.ts';
import { cookieHeader } from './client.ts';
import { freePort } from './free-port.ts';
import { signIn } from './remote.ts';
import type { Remote } from './remote.ts';
import { admin, spawnService, untilReady } from './service-process.ts';
import type { Installation, ServiceProcess } from './service-process.ts';

export const pdf = { name: 'contract.pdf', content: Buffer.from(`%PDF-1.7\n${'x'.repeat(200_000)}\n%%EOF\n`) };

/**
 * Services on separate machines that share a database: each has its own DATA_DIR. They end `afterwards`: with the test
 * file, or through `onTestFinished` with a test, in which vitest accepts no hook of the file.
 */
export async function openMachines(storage: string, afterwards: (end: () => Promise<void>) => void = afterAll) {
  const scratch = await mkdtemp(join(tmpdir(), 'tenure-machines-'));
  const database = await cloneDatabase();
  const running = new Set<ServiceProcess>();
  afterwards(async () => {
    for (const service of running) await service.kill();
    await rm(scratch, { recursive: true, force: true });
  });
  const common = {
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    APP_KEY: generateKey(),
    STORAGE_URL: storage,
  };
  const installation = async (name: string, settings: Record<string, string> = {}): Promise<Installation> => ({
    dataDir: join(scratch, name),
    port: await freePort(),
    settings: { ...common, ...settings },
  });
  const spawn = async (name: string, settings?: Record<string, string>) => {
    const service = spawnService(await installation(name, settings));
    running.add(service);
    return service;
  };
  const start = async (name: string, settings?: Record<string, string>) => untilReady(await spawn(name, settings));
  return { scratch, database, spawn, start };
}

const idOf = ({ body }: Awaited<ReturnType<Remote['post']>>) => (body as { data: { id: number } }).data.id;

/** Signs in as the administrator and creates a person who can have files. */
export async function hireOn(service: ServiceProcess) {
  const client = await signIn(service.address, admin);
  const entity_id = idOf(await client.post('/api/entities', { name: 'Acme' }));
  const department_id = idOf(await client.post('/api/departments', { name: 'Office', entity_id }));
  const person = { employee_number: '1', email: 'ann@acme.example', first_name: 'Ann', last_name: 'Lee' };
  const id = idOf(await client.post('/api/employees', { ...person, entity_id, department_id }));
  return { client, path: `/api/employees/${id}/attachments` };
}

type Uploaded = { status: number; headers: Record<string, unknown>; url: string };

export async function upload(client: Remote, path: string, title: string): Promise<Uploaded> {
  const { status, headers, body } = await client.upload(path, pdf, { category: 'other', title });
  const url = status === 201 ? (body as { data: { download_url: string } }).data.download_url : '';
  return { status, headers, url };
}

/** A download as in a browser: its status, and its bytes if all of them arrived. */
export async function download({ address }: ServiceProcess, { cookies }: Remote, path: string) {
  const response = await fetch(`${address}${new URL(path, address).pathname}`, {
    headers: { cookie: cookieHeader(cookies), referer: `${address}/` },
  });
  return {
    status: response.status,
    retry: response.headers.get('retry-after'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
