import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { zipOf } from '../../server/src/testing/sheet-fixtures.ts';
import { has, run } from './tools.ts';

// The nightly workflow uses the OSV database; here the test writes one, and nothing is requested.

const list = join(inject('tree'), 'sbom.cdx.json');
const folder = join(inject('scratch'), 'advisories');

/** An advisory for every version of a package, in OSV format. */
const advisory = (name: string) =>
  JSON.stringify({
    schema_version: '1.6.0',
    id: 'GHSA-xxxx-test-0001',
    modified: '2026-01-01T00:00:00Z',
    published: '2026-01-01T00:00:00Z',
    affected: [
      {
        package: { ecosystem: 'npm', name },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
      },
    ],
  });

async function scan(name: string) {
  const kept = join(folder, 'osv-scalibr/npm');
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, 'all.zip'), await zipOf({ 'GHSA-xxxx-test-0001.json': advisory(name) }));
  return run('osv-scanner', ['scan', 'source', '--offline', '--local-db-path', folder, '--lockfile', list]);
}

test.runIf(has('the list of contents by osv-scanner', 'osv-scanner'))(
  'the scanner reads every package of the list, and fails for one that has an advisory',
  async () => {
    const { components } = JSON.parse(readFileSync(list, 'utf8')) as { components: { purl?: string }[] };
    const packages = components.filter(({ purl }) => purl?.startsWith('pkg:npm/'));
    const clean = await scan('left-out');
    expect(clean).toMatchObject({ status: 0, output: expect.stringContaining('No issues found') as string });
    const [, found] = /found (\d+) packages/.exec(clean.output) ?? [];
    expect(Number(found)).toBeGreaterThanOrEqual(packages.length);
    const { status, output } = await scan('fastify');
    expect(status).toBe(1);
    expect(output).toContain('GHSA-xxxx-test-0001');
    expect(output).toContain('fastify');
  },
);
