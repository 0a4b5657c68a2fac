import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { seccomp, writeBundle } from './bundle.ts';
import {
  aloneWithRuntime,
  buildImage,
  crun,
  dockerfile,
  environmentOf,
  imageOf,
  imageTools,
  openStore,
} from './container.ts';
import { limited } from './memory.ts';
import { has, printedBy, run } from './tools.ts';
import type { Plan, Walked } from './walk.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const store = openStore(scratch);
const canBuild = has('the image', ...imageTools);
const canStart = canBuild && has('a container of the image', 'crun');
const walk = join(import.meta.dirname, 'walk.ts');

describe.runIf(canBuild)('the image', () => {
  test('is built without network, and a step that needs one fails', () => {
    const { status, output } = imageOf(store, tree).build;
    expect(status, output).toBe(0);
    const fetching = join(scratch, 'fetching.Dockerfile');
    const step = 'RUN apt-get update --error-on=any -o Acquire::Retries=0\n';
    writeFileSync(fetching, readFileSync(dockerfile, 'utf8').replace('USER 10001', `${step}USER 10001`));
    const refused = buildImage(store, tree, fetching, 'fetching');
    expect(refused.status).not.toBe(0);
    expect(refused.output).toContain('apt-get update');
  });

  test('runs as a user without rights', () => {
    const { User, Entrypoint, Cmd } = imageOf(store, tree).config;
    expect({ User, Entrypoint, Cmd }).toEqual({
      User: '10001:10001',
      Entrypoint: ['/opt/tenure/bin/tenure'],
      Cmd: ['start'],
    });
  });
});

/** A folder like a new volume: it belongs to the user that the image created. */
function newVolume(name: string): string {
  const path = join(scratch, name);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, 10_001, 10_001);
  return path;
}

const gigabyte = 1_024 ** 3;

const bundleOf = (name: string, data: string, args?: string[]) => {
  const { config, rootfs } = imageOf(store, tree);
  return writeBundle(join(scratch, name), {
    rootfs,
    user: config.User,
    args: args ?? [...config.Entrypoint, ...config.Cmd],
    env: { ...environmentOf(config), APP_URL: 'http://localhost:8000' },
    mounts: [{ source: data, target: '/data' }],
  });
};

describe.runIf(canStart)('a container of the image', () => {
  test('has a read-only root, no capability, no way to get one, and the system calls of containers', () => {
    const script = [
      'id -u; id -g',
      'grep -E "^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):" /proc/self/status',
      'touch /opt/tenure/x 2>/dev/null || echo read-only; touch /x 2>/dev/null || echo read-only',
      'touch /tmp/x && touch /data/x && echo writable',
      'ls /sys 2>/dev/null | wc -l',
    ].join('; ');
    const bundle = bundleOf('look', newVolume('look-data'), ['/bin/sh', '-c', script]);
    const [program = '', ...args] = crun(scratch, 'run', '--bundle', bundle, 'look');
    const { status, output } = run(...aloneWithRuntime(program, ...args));
    expect(status, output).toBe(0);
    const none = '0000000000000000';
    expect(
      output
        .trim()
        .split(/\n/)
        .map((line) => line.replaceAll(/\s+/g, ' ')),
    ).toEqual([
      '10001',
      '10001',
      ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => `${name}: ${none}`),
      'NoNewPrivs: 1',
      `Seccomp: ${seccomp() ? 2 : 0}`,
      'read-only',
      'read-only',
      'writable',
      '0',
    ]);
  });

  test('serves over a stop and a kill, with its own database and a gigabyte of memory', () => {
    const data = newVolume('container-data');
    const bundle = bundleOf('container', data);
    const plan: Plan = {
      start: crun(scratch, 'run', '--bundle', bundle, 'tenure'),
      health: crun(scratch, 'exec', 'tenure', '/opt/tenure/bin/tenure', 'health'),
      signal: crun(scratch, 'kill', 'tenure'),
      env: { PATH: process.env['PATH'] ?? '' },
      dataDir: join(data, 'tenure'),
      address: 'http://localhost:8000',
    };
    const { status, output } = run(
      ...limited(gigabyte, ...aloneWithRuntime(process.execPath, walk, JSON.stringify(plan))),
    );
    expect(status, output).toBe(0);
    const walked = printedBy<Walked>({ status, output });
    console.log(`The first start of a container took ${walked.firstStartMilliseconds} ms.`);
    expect(walked).toMatchObject({
      statuses: { company: 201, department: 201, person: 201, picture: 200, page: 200 },
      exitCode: 0,
      keptAfterStop: true,
      keptAfterKill: true,
      firstPasswordFileGone: true,
      open: [],
    });
  });
});
