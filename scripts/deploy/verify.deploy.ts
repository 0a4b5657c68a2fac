import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { readVariables } from './compose-file.ts';
import { succeed } from './container.ts';
import { linesOf, verifyBlocks } from './page.ts';
import { has, run } from './tools.ts';

/** The files of a release in addition to its archives, and the commands in docs/verify.md for them. */

const [scratch, tree] = [inject('scratch'), inject('tree')];
const folder = join(scratch, 'release');
const archive = basename(tree);
const script = join(import.meta.dirname, 'release-files.sh');
const example = join(import.meta.dirname, '../../deploy/compose/.env.example');
const canCheck = has('the files of a release', 'git', 'tar', 'sha256sum', 'openssl');

/** Lines that need a published release, each with the reason. */
const elsewhere = [
  { line: /^cosign verify/, reason: 'asks the public log of Sigstore for a signature of the workflow' },
  { line: /^gh attestation verify/, reason: 'asks the forge' },
  { line: /^(git checkout|npm run package|cat build\/)/, reason: 'tree.deploy.ts builds a commit twice' },
];
const isElsewhere = (text: string) => elsewhere.some(({ line }) => line.test(text));
const lines = verifyBlocks()
  .flatMap(linesOf)
  .filter((line) => !isElsewhere(line))
  .map((line) => line.replaceAll(/tenure-\d+\.\d+\.\d+-linux-x64/g, archive));
const lineWith = (part: string) => lines.find((line) => line.includes(part)) ?? 'false';
const say = (line: string) => run('sh', ['-c', line], { cwd: folder });

const named = Object.entries(readVariables(readFileSync(example, 'utf8'))).filter(([name]) => name.endsWith('_IMAGE'));
const byDigest = named.map(([name, image]) => `${name}=${image}@sha256:${'0'.repeat(64)}`);

describe.runIf(canCheck)('the files of a release', () => {
  beforeAll(() => {
    mkdirSync(folder);
    linkSync(`${tree}.tar.zst`, join(folder, `${archive}.tar.zst`));
    copyFileSync(`${tree}.tar.zst.sha256`, join(folder, `${archive}.tar.zst.sha256`));
    writeFileSync(join(folder, 'image.txt'), 'registry.example.com/tenure@sha256:0\n');
    writeFileSync(join(folder, 'tenure-0.tgz'), 'a chart');
    succeed('sh', [script, folder, ...byDigest]);
  });

  test('are named in the sums, with the list of contents of each archive', () => {
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    const files = readdirSync(folder).filter((name) => !/\.sha256$|^SHA256SUMS$/.test(name));
    expect(files).toHaveLength(5);
    for (const name of files) expect(sums).toMatch(new RegExp(`^[0-9a-f]{64}  ${name.replaceAll('.', '\\.')}$`, 'm'));
    expect(readFileSync(join(folder, `${archive}.sbom.cdx.json`), 'utf8')).toBe(
      readFileSync(join(tree, 'sbom.cdx.json'), 'utf8'),
    );
  });

  test('have the compose files with every image by its digest, and are not made without one', () => {
    const compose = readdirSync(folder).find((name) => name.endsWith('-compose.tar.gz')) ?? '';
    succeed('tar', ['-xf', compose, '-C', scratch], { cwd: folder });
    const unpacked = join(scratch, compose.replace('.tar.gz', ''));
    expect(readdirSync(unpacked).sort()).toEqual(
      succeed('git', ['ls-files', '.'], { cwd: join(example, '..') })
        .split('\n')
        .sort(),
    );
    const images = Object.entries(readVariables(readFileSync(join(unpacked, '.env.example'), 'utf8')))
      .filter(([name]) => name.endsWith('_IMAGE'))
      .map((pair) => pair.join('='));
    expect(images).toEqual(byDigest);
    const refused = run('sh', [script, folder, ...byDigest.slice(1)]);
    expect(refused.status).toBe(1);
    expect(refused.output).toContain('An image has no digest: TENURE_IMAGE=');
  });

  test('pass the commands of docs/verify.md, and a changed byte fails them', () => {
    for (const { line } of elsewhere) expect(verifyBlocks().flatMap(linesOf).join('\n')).toMatch(new RegExp(line, 'm'));
    expect(lines).toHaveLength(6);
    const order = ['SHA256SUMS', '.sha256', 'genpkey', '-pubout', '-sign', '-verify'];
    for (const part of order) expect(say(lineWith(part)), part).toMatchObject({ status: 0 });
    expect(say('cat tenure-release.pem | head -1').output).toContain('PRIVATE KEY');

    const list = join(folder, `${archive}.sbom.cdx.json`);
    writeFileSync(list, readFileSync(list, 'utf8').replace('CycloneDX', 'CycloneDx'));
    expect(say(lineWith('--ignore-missing'))).toMatchObject({
      status: 1,
      output: expect.stringContaining(`${archive}.sbom.cdx.json: FAILED`),
    });
    succeed('sh', ['-c', `sha256sum ${archive}.sbom.cdx.json > SHA256SUMS`], { cwd: folder });
    expect(say(lineWith('--ignore-missing'))).toMatchObject({ status: 0 });
    expect(say(lineWith('-verify')).status).not.toBe(0);
  });
});
