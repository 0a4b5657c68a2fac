import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { configOf, makeBase, openStore } from './container.ts';
import { alone, has, run } from './tools.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const store = openStore(scratch);
const context = join(scratch, 'context');
const dockerfile = join(import.meta.dirname, '../../deploy/docker/Dockerfile');
const canBuild = has('the image', 'buildah', 'mmdebstrap', 'unshare', 'ip');

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
