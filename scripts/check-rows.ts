import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSeen } from '../server/src/testing/rows/recorder.ts';
import { allSites } from '../server/src/testing/rows/sites.ts';
import type { Site } from '../server/src/testing/rows/sites.ts';
import { problemsOf } from './rows/compare.ts';
import { declaredRows } from './rows/declared.ts';
import { recorded, uncheckable } from './rows/recorded.ts';

/**
 * Whether what the tests saw of each statement matches what its `sql<Row>` declares: names, types, nulls, and JSON
 * content. With `--ran`, statements that no test ran are not failures, for a run of only some tests.
 */

const path = (below: string) => fileURLToPath(new URL(`../${below}`, import.meta.url)).replace(/\/$/, '');
const placeOf = ({ path, line }: Site) => `server/src/${path}:${line}`;

if (!existsSync(recorded)) {
  console.error(`Nothing is recorded in ${recorded}: run npm test`);
  process.exit(1);
}
const seen = readSeen(recorded);
const { rows, inferred } = declaredRows(allSites(), path('tsconfig.json'), path('server/src'));
const unseen = process.argv.includes('--ran') ? [] : ['no test runs it'];
let wrong = 0;
const say = (site: Site, problems: readonly string[]) => {
  wrong++;
  console.error([placeOf(site), ...problems.map((problem) => `  ${problem}`)].join('\n'));
};
for (const place of inferred) {
  wrong++;
  console.error(`${place}\n  gets its row from what it is given to: say it with sql<Row>`);
}
for (const { site, row, isGeneric } of rows) {
  if (uncheckable[site.path] !== undefined && (isGeneric || !seen.has(site.key))) continue;
  const problems = isGeneric
    ? ['its row has a type parameter, so nothing can be compared with it']
    : (problemsOf(row, seen.get(site.key), site.isShared) ?? unseen);
  if (problems.length > 0) say(site, problems);
}
console.log(`${rows.length} declared rows, ${wrong} of them wrong or not run by a test`);
process.exitCode = wrong === 0 ? 0 : 1;
