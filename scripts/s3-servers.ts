import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/src/testing/free-port.ts';

/**
 * `npm run test:s3`: runs the object store tests on real servers. A missing server is named and makes the run fail,
 * unless the run names the servers to test: `npm run test:s3 -- versitygw`.
 */

const bucket = 'files';
const keys = { id: 'test', secret: 'test-secret/+' };

type Place = { folder: string; port: number };
type Server = {
  name: string;
  /** The command that serves the bucket in a folder; undefined if it is not installed. */
  command: (place: Place) => Promise<string[] | undefined>;
  install: string;
};

const inPath = (program: string, ...more: string[]) =>
  [...(process.env['PATH'] ?? '').split(delimiter), ...more].map((folder) => join(folder, program)).find(existsSync);

const servers: readonly Server[] = [
  {
    name: 'versitygw',
    install: 'go install github.com/versity/versitygw/cmd/versitygw@v1.8.0',
    command: async ({ folder, port }) => {
      const program = inPath('versitygw', join(homedir(), 'go', 'bin'));
      const options = ['--access', keys.id, '--secret', keys.secret, '--port', `127.0.0.1:${port}`, '--quiet'];
      return program ? [program, ...options, 'posix', folder] : undefined;
    },
  },
  {
    name: 's3proxy',
    install:
      'put org.gaul:s3proxy:4.1.0 and com.fasterxml.jackson.core:jackson-annotations:2.21, with what they depend on, into a folder and set S3PROXY_JARS to it',
    command: async ({ folder, port }) => {
      const jars = process.env['S3PROXY_JARS'];
      if (!jars || !existsSync(jars) || !inPath('java')) return undefined;
      const settings = join(folder, '..', 's3proxy.conf');
      const lines = [
        `s3proxy.endpoint=http://127.0.0.1:${port}`,
        's3proxy.authorization=aws-v4',
        `s3proxy.identity=${keys.id}`,
        `s3proxy.credential=${keys.secret}`,
        'jclouds.provider=filesystem-nio2',
        `jclouds.filesystem.basedir=${folder}`,
      ];
      await writeFile(settings, lines.join('\n'));
      return ['java', '-cp', join(jars, '*'), 'org.gaul.s3proxy.Main', '--properties', settings];
    },
  },
];

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

const children: ChildProcess[] = [];

async function start({ name, command, install }: Server, scratch: string): Promise<[string, string] | undefined> {
  const place = { folder: join(scratch, name), port: await freePort() };
  await mkdir(join(place.folder, bucket), { recursive: true });
  const [program, ...args] = (await command(place)) ?? [];
  if (program === undefined) {
    console.error(`${name} is not installed: ${install}`);
    return undefined;
  }
  const child = spawn(program, args, { stdio: 'ignore' });
  children.push(child);
  for (let tries = 0; !(await isOpen(place.port)); tries += 1) {
    if (tries > 300 || child.exitCode !== null) throw new Error(`${name} did not start`);
    await sleep(100);
  }
  const { id, secret } = keys;
  return [name, `s3://${id}:${encodeURIComponent(secret)}@${bucket}?endpoint=http://127.0.0.1:${place.port}`];
}

const wanted = process.argv.slice(2);
const scratch = await mkdtemp(join(tmpdir(), 'tenure-s3-'));
try {
  const chosen = servers.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const started = [];
  for (const server of chosen) started.push(await start(server, scratch));
  const there = started.filter((one) => one !== undefined);
  const env = { ...process.env, S3_SERVERS: JSON.stringify(Object.fromEntries(there)) };
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 's3'], { env, stdio: 'inherit' });
  const missing = chosen.length - there.length;
  if (missing > 0) console.error(`Not run on ${missing} of ${chosen.length} servers, see above.`);
  process.exitCode = status === 0 && missing === 0 && chosen.length > 0 ? 0 : 1;
} finally {
  for (const child of children) child.kill();
  await rm(scratch, { recursive: true, force: true });
}
