import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificateFor } from '../server/src/testing/certificates.ts';
import { freePort } from '../server/src/testing/free-port.ts';

/**
 * `npm run test:identity`: single sign-on with a real Keycloak in a real browser. Uses the distribution in
 * `KEYCLOAK_HOME`, or downloads it from Maven Central with `mvn`. Needs Java 17 or newer. Without them, the run fails.
 */

const version = '26.4.5';
const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
const admin = { name: 'admin', password: 'of-these-tests-only' };
/** Keycloak builds itself before its first start. */
const startSeconds = 600;

type Running = { env?: NodeJS.ProcessEnv; cwd?: string };
const run = (program: string, args: readonly string[], { env = process.env, cwd = process.cwd() }: Running = {}) =>
  spawnSync(program, args, { stdio: 'inherit', env, cwd }).status ?? 1;

/** The folder of a copy of the distribution, because Keycloak writes to it. */
async function keycloakIn(folder: string): Promise<string> {
  const given = process.env['KEYCLOAK_HOME'];
  const home = join(folder, `keycloak-${version}`);
  const failed = given
    ? run('cp', ['-r', given, home])
    : run('mvn', ['-q', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false']) ||
      // Maven leaves files where it runs
      run('mvn', ['-q', 'dependency:unpack', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`], { cwd: folder });
  const program = join(home, 'bin', 'kc.sh');
  if (failed || !existsSync(program))
    throw new Error(`Keycloak is not installed: set KEYCLOAK_HOME, or install Maven, which fetches ${artifact}.`);
  await chmod(program, 0o755);
  return program;
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/realms/master`)).ok;
  } catch {
    return false;
  }
}

/** Starts Keycloak over TLS with its data in memory; returns a function that stops it. */
async function startKeycloak(folder: string, address: string, tls: { key: string; cert: string }) {
  const program = await keycloakIn(folder);
  const { port } = new URL(address);
  const child = spawn(
    program,
    [
      'start-dev',
      '--db=dev-mem',
      '--cache=local',
      '--http-enabled=false',
      '--http-host=127.0.0.1',
      `--https-port=${port}`,
      `--https-certificate-file=${tls.cert}`,
      `--https-certificate-key-file=${tls.key}`,
      `--hostname=${address}`,
    ],
    {
      // its own process group, because the script starts Java as a child
      detached: true,
      stdio: process.env['KEYCLOAK_LOG'] ? 'inherit' : 'ignore',
      env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: admin.name, KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password },
    },
  );
  const end = () => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM');
  };
  for (let waited = 0; !(await isReady(address)); waited += 1) {
    if (waited < startSeconds && child.exitCode === null) {
      await sleep(1_000);
      continue;
    }
    end();
    throw new Error('Keycloak did not start; with KEYCLOAK_LOG=on it says why.');
  }
  return end;
}

const folder = process.env['IDENTITY_FOLDER'] ?? (await mkdtemp(join(tmpdir(), 'tenure-identity-')));
const tls = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };

if (process.env['IDENTITY_FOLDER']) {
  // reruns the same command in a process that trusts the certificate
  const address = `https://127.0.0.1:${await freePort()}`;
  const end = await startKeycloak(folder, address, tls);
  const settings = { KEYCLOAK_ADDRESS: address, KEYCLOAK_ADMIN: admin.name, KEYCLOAK_PASSWORD: admin.password };
  const vitest = ['vitest', 'run', '--config', 'e2e/identity/vitest.config.ts', ...process.argv.slice(2)];
  try {
    process.exitCode = run('npx', vitest, { env: { ...process.env, ...settings } });
  } finally {
    end();
  }
} else {
  const { key, cert } = certificateFor('127.0.0.1');
  await writeFile(tls.key, key);
  await writeFile(tls.cert, cert);
  const env = { ...process.env, IDENTITY_FOLDER: folder, NODE_EXTRA_CA_CERTS: tls.cert };
  process.exitCode = run(process.execPath, [import.meta.filename, ...process.argv.slice(2)], { env });
  await rm(folder, { recursive: true, force: true });
}
