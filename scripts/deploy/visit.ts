import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cookieHeader } from '../../server/src/testing/client.ts';
import { signIn } from '../../server/src/testing/remote.ts';
import type { Remote } from '../../server/src/testing/remote.ts';

/** What an installation's first user does, over HTTP. */

/** A one-pixel picture, which the service decodes and re-encodes. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const password = 'Willow!Harbor42';
type Made = { data: { id: number; name: string } };

export type Visit = {
  /** The first administrator's account, with the password that was chosen. */
  account: { email: string; password: string };
  client: Remote;
  /** The status of each answer. */
  statuses: Record<string, number>;
  /** The path of the uploaded picture, and the SHA-256 of what is served there. */
  path: string;
  sum: string;
};

async function sumOfPicture(address: string, { cookies }: Remote, path: string): Promise<string> {
  const response = await fetch(`${address}${path}`, { headers: { cookie: cookieHeader(cookies) } });
  return createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex');
}

/** Signs in with the password in the file and chooses another one. */
export async function firstSignIn(address: string, dataDir: string): Promise<Pick<Visit, 'account' | 'client'>> {
  const [email = '', first = ''] = readFileSync(join(dataDir, 'first-admin'), 'utf8').split('\n');
  const client = await signIn(address, { email, password: first });
  const chosen = { current_password: first, password, password_confirmation: password };
  const { status, body } = await client.put('/api/profile/password', chosen);
  if (status !== 200) throw new Error(`The new password was answered with ${status}: ${JSON.stringify(body)}`);
  return { account: { email, password }, client };
}

/** Signs in for the first time, creates a company with a person, and gives the person a picture. */
export async function firstVisit(address: string, dataDir: string): Promise<Visit> {
  const { account, client } = await firstSignIn(address, dataDir);
  const statuses: Visit['statuses'] = {};
  const step = async (name: string, answer: ReturnType<Remote['send']>) => {
    const { status, body } = await answer;
    statuses[name] = status;
    return (body as Made).data;
  };
  const company = await step('company', client.post('/api/entities', { name: 'Acme' }));
  const department = await step('department', client.post('/api/departments', { name: 'Crew', entity_id: company.id }));
  const person = await step(
    'person',
    client.post('/api/employees', {
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann.lee@example.com',
      entity_id: company.id,
      department_id: department.id,
    }),
  );
  const path = `/api/employees/${person.id}/profile-picture`;
  await step('picture', client.upload(path, { name: 'ann.png', content: picture }));
  const page = await fetch(address, { headers: { accept: 'text/html' } });
  statuses['page'] = page.status;
  return { account, client, statuses, path, sum: await sumOfPicture(address, client, path) };
}

/** Whether the company and picture of a visit still exist, for a new session. */
export async function isKept(address: string, { account, path, sum }: Visit): Promise<boolean> {
  const client = await signIn(address, account);
  const { body } = await client.get('/api/entities');
  const names = (body as { data: { name: string }[] }).data.map(({ name }) => name);
  return names.includes('Acme') && (await sumOfPicture(address, client, path)) === sum;
}

/** Whether a process returns the picture of a visit, for its session. */
export const readsPicture = async (address: string, { client, path, sum }: Visit): Promise<boolean> =>
  (await sumOfPicture(address, client, path)) === sum;

export type Heard = {
  /** Milliseconds from the request to the first event in the stream. */
  first: number;
  /** Milliseconds from the cause of a notification to its event. */
  next: number;
  /** What the service reports about the mail for the same notification. */
  email: string;
};

/** Much longer than an event takes, and much shorter than in a buffering proxy: a heartbeat is 3 bytes in 20 s. */
const maxMilliseconds = 15_000;

/**
 * Opens the notification stream, sends a notification to oneself, and returns how long the events took.
 * @throws {Error} if an event does not arrive in time
 */
export async function hearNotification(address: string, client: Remote, most = maxMilliseconds): Promise<Heard> {
  const hangUp = new AbortController();
  const late = setTimeout(() => hangUp.abort(new Error('No event came: what is between collects them.')), most);
  const begun = performance.now();
  const answer = await fetch(`${address}/api/notifications/stream`, {
    headers: { cookie: cookieHeader(client.cookies), referer: `${address}/` },
    signal: hangUp.signal,
  });
  const decoder = new TextDecoder();
  const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader();
  let text = '';
  const untilEvent = async (name: string) => {
    while (!text.includes(`event: ${name}\n`)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The stream was answered with ${answer.status} and ended: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
  };
  try {
    await untilEvent('ready');
    const first = Math.round(performance.now() - begun);
    const caused = performance.now();
    const { body } = await client.post('/api/notification-settings/backup_failed/test', {});
    await untilEvent('notification');
    const next = Math.round(performance.now() - caused);
    return { first, next, email: (body as { data: { email: string } }).data.email };
  } finally {
    clearTimeout(late);
    hangUp.abort();
  }
}
