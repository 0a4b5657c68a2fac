import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { configOf, crun, describeContainer, environmentOf, makeBase, openStore, unpack } from './container.ts';
import { alone, has, run } from './tools.ts';
import type { Plan, Walked } from './walk.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const store = openStore(scratch);
const context = join(scratch, 'context');
const dockerfile = join(import.meta.dirname, '../../deploy/docker/Dockerfile');
const canBuild = has('the image', 'buildah', 'crun', 'mmdebstrap', 'unshare', 'ip');

/** Builds without any network. */
const build = (file: string, name: string) =>
  run(
    ...alone(
      ...store.buildah('bud', '--isolation=chroot', '--format=docker', '--pull-never', '--target=release').flat(),
      ...['BASE=localhost/tenure-base', `RELEASE=${basename(tree)}`].flatMap((value) => ['--build-arg', value]),
      '--file',
      file,
      '--tag',
      name,
      context,
    ),
  );

describe.runIf(canBuild)('the image', () => {
  beforeAll(() => {
    mkdirSync(context);
    run('cp', ['-al', tree, context]);
    makeBase(store, 'tenure-base');
  });

  test('is built without network, and a step that needs one fails', () => {
    const { status, output } = build(dockerfile, 'tenure');
    expect(status, output).toBe(0);
    const fetching = join(scratch, 'fetching.Dockerfile');
    const step = 'RUN apt-get update --error-on=any -o Acquire::Retries=0\n';
    writeFileSync(fetching, readFileSync(dockerfile, 'utf8').replace('USER 10001', `${step}USER 10001`));
    const refused = build(fetching, 'fetching');
    expect(refused.status).not.toBe(0);
    expect(refused.output).toContain('apt-get update');
  });

  test('runs as a user without rights', () => {
    const { User, Entrypoint, Cmd } = configOf(store, 'tenure');
    expect({ User, Entrypoint, Cmd }).toEqual({
      User: '10001:10001',
      Entrypoint: ['/opt/tenure/bin/tenure'],
      Cmd: ['start'],
    });
  });
});

test.runIf(canBuild)('the image serves with a read-only root and without capabilities over a stop and a kill', () => {
  const { Env, Entrypoint, Cmd, Healthcheck } = configOf(store, 'tenure');
  const [bundle, volume] = [join(scratch, 'bundle'), join(scratch, 'volume')];
  const address = 'http://localhost:8000';
  const env = { ...environmentOf(Env), APP_URL: address };
  describeContainer({
    bundle,
    root: unpack(store, 'tenure'),
    args: [...Entrypoint, ...Cmd],
    env,
    volumes: { '/data': volume },
  });
  const plan: Plan = {
    start: crun(store, 'run', '--bundle', bundle, 'tenure'),
    health: crun(store, 'exec', 'tenure', ...Healthcheck.Test.slice(1)),
    signal: crun(store, 'kill', 'tenure'),
    env: { PATH: process.env['PATH'] ?? '' },
    dataDir: join(volume, 'tenure'),
    address,
  };
  const { status, output } = run(
    ...alone(process.execPath, join(import.meta.dirname, 'walk.ts'), JSON.stringify(plan)),
  );
  expect(status, output).toBe(0);
  const walked = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Walked;
  console.log(`In a container the first start took ${walked.firstStartMilliseconds} ms.`);
  expect(walked).toMatchObject({
    statuses: { password: 200, company: 201, department: 201, person: 201, picture: 200, page: 200 },
    exitCode: 0,
    keptAfterStop: true,
    keptAfterKill: true,
    firstPasswordFileGone: true,
    open: [],
  });
});
