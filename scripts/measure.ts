import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSeen } from '../server/src/testing/rows/recorder.ts';
import { allSites } from '../server/src/testing/rows/sites.ts';
import { circles, edgesOf, featureCoupling } from './measure/coupling.ts';
import { inputTests } from './measure/input.ts';
import { parse } from './measure/parse.ts';
import type { Parsed } from './measure/parse.ts';
import { longFunctions, sizes } from './measure/sizes.ts';
import type { LongFunctions, Size } from './measure/sizes.ts';
import { likeness } from './measure/likeness.ts';
import { countWords } from './measure/words.ts';
import { isDescribed } from './rows/compare.ts';
import { recorded, uncheckable } from './rows/recorded.ts';
import { allSources, isGenerated, isTest } from './sources.ts';
import type { Source } from './sources.ts';

/**
 * How far the structure is from its goals, as Markdown. With `--where`, also the places behind the figures. Not
 * measured, because no script can: the files that a new field touches, the number of meanings of a word, the number of
 * ways to translate texts, and what the server does that Fastify could do.
 */

type Measure = { what: string; today: string | number; goal: string; where?: string[] };

function coupling(source: readonly Parsed[]): Measure[] {
  const edges = edgesOf(source);
  const { files, mutual, usersOf, usedBy } = featureCoupling(edges);
  const atRunTime = circles(edges.filter((edge) => edge.kind === 'value'));
  const all = circles(edges);
  const users = usersOf('employees');
  const used = usedBy('employees');
  return [
    {
      what: 'features that import `employees`',
      today: users.length,
      goal: '0, what they share is in `people/`',
      where: users,
    },
    { what: 'features that `employees` imports', today: used.length, goal: '0', where: used },
    { what: 'pairs of features that import each other', today: mutual.length, goal: '0', where: mutual },
    { what: 'pairs of files across features', today: files.length, goal: 'at most 50', where: files },
    { what: 'circles at run time', today: atRunTime.length, goal: '0', where: atRunTime.map((set) => set.join(' ')) },
    { what: 'circles, types counted', today: all.length, goal: '0', where: all.map((set) => set.join(' ')) },
  ];
}

function functions(source: readonly Parsed[]): Measure[] {
  const long = longFunctions(source);
  const [over40, over60] = [long.flatMap((each) => each.over40), long.flatMap((each) => each.over60)];
  const unexplained = long.flatMap((each) => each.unexplained);
  return [
    { what: 'functions over 60 lines', today: over60.length, goal: '0', where: over60 },
    { what: 'functions over 40 lines', today: over40.length, goal: 'at most 20', where: over40 },
    { what: 'of them without `Over 40 lines: <reason>.` in their comment', today: unexplained.length, goal: '0' },
  ];
}

function types(source: readonly Parsed[]): Measure[] {
  const all = source.flatMap(({ path, contextTypes }) => contextTypes.map((type) => ({ ...type, path })));
  const where = (list: typeof all) => list.map(({ name, path }) => `${name}: ${path}`);
  const local = all.filter((type) => !type.exported);
  const plain = all.filter((type) => type.plain);
  return [
    {
      what: 'local types of a part of the request context (`Doing`, `Asking`, …)',
      today: local.length,
      goal: '0, an exported name each',
      where: where(local),
    },
    {
      what: "types exactly `Pick<Ctx, 'db' \\| 'actor' \\| 'request'>`, exported or not",
      today: plain.length,
      goal: '1',
      where: where(plain),
    },
  ];
}

function casts(): Measure {
  const all = allSites();
  const checkable = all.filter(({ path }) => uncheckable[path] === undefined);
  const seen = existsSync(recorded) ? readSeen(recorded) : undefined;
  const open = checkable.filter(({ key }) => !isDescribed(seen?.get(key)));
  return {
    what: `raw \`sql<Row>\` casts that no test checked, of ${all.length}; ${all.length - checkable.length} more are named with a reason`,
    today: seen ? open.length : 'not known: run npm test',
    goal: '0',
    where: [
      ...(seen ? open.map(({ path, line }) => `server/src/${path}:${line}`) : []),
      ...Object.entries(uncheckable).map(([path, reason]) => `server/src/${path}: ${reason}`),
    ],
  };
}

function inCommon(sources: readonly Source[]): Measure {
  const pairs = ['server', 'web'].flatMap((workspace) =>
    likeness(sources, [`${workspace}/src/features/kpi-evaluations/`, `${workspace}/src/features/probation-reviews/`]),
  );
  const sum = (key: 'common' | 'lines') => pairs.reduce((total, pair) => total + pair[key], 0);
  return {
    what: 'ordered lines that KPI evaluations and probation reviews have in common, in files of one name',
    today: `${sum('common')} of ${sum('lines')}`,
    goal: 'shared mechanics in one room',
    where: pairs.map(({ name, common, lines }) => `${name}: ${common} of ${lines}`),
  };
}

function styles(): Measure {
  const folder = fileURLToPath(new URL('../web/src', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  const lines = files.reduce((sum, name) => sum + readFileSync(join(folder, name), 'utf8').split('\n').length - 1, 0);
  return { what: 'style sheets: files, lines', today: `${files.length}, ${lines}`, goal: 'at most 3,012 lines' };
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const ratio = ({ lines, testLines }: Pick<Size, 'lines' | 'testLines'>) =>
  lines === 0 ? '' : (testLines / lines).toFixed(2);

function report(sources: readonly Source[], withPlaces: boolean): string[] {
  const parsed = sources.map(parse);
  const source = parsed.filter((file) => !isTest(file.path));
  const ofWorkspaces = sizes(parsed);
  const input = inputTests(parsed);
  const ofWeb = ofWorkspaces.find(({ workspace }) => workspace === 'web');
  const measures = [
    ...coupling(source),
    ...functions(source),
    ...types(source),
    casts(),
    inCommon(sources.filter((each) => !isTest(each.path))),
    {
      what: 'lines of tests per line of source in `web`',
      today: ofWeb ? ratio(ofWeb) : '',
      goal: 'none, see the next line',
    },
    {
      what: `lines of tests per line of source in the ${input.files} files of \`web\` that handle state or input`,
      today: ratio(input),
      goal: 'at least 0.5',
    },
    styles(),
  ];
  const places = measures.flatMap(({ what, where = [] }) => (where.length > 0 ? [`${what}\n${where.join('\n')}`] : []));
  return [
    table(
      ['', 'today', 'goal'],
      measures.map(({ what, today, goal }) => [what, today, goal]),
    ),
    workspaces(ofWorkspaces, longFunctions(source)),
    wordTable(parsed),
    ...(withPlaces ? places : []),
  ];
}

const workspaces = (all: readonly Size[], functionsOf: readonly LongFunctions[]) =>
  table(
    [
      'workspace',
      'files',
      'lines',
      'test files',
      'test lines',
      'tests / source',
      'functions over 40',
      'over 60',
      'longest',
    ],
    all.map((size) => {
      const long = functionsOf.find(({ workspace }) => workspace === size.workspace);
      const { workspace, files, lines, testFiles, testLines } = size;
      return [
        `\`${workspace}\``,
        files,
        lines,
        testFiles,
        testLines,
        ratio(size),
        ...(long ? [long.over40.length, long.over60.length, long.longest] : ['', '', '']),
      ];
    }),
  );

const wordTable = (parsed: readonly Parsed[]) =>
  table(
    ['word', 'say', 'in names', 'in comments'],
    countWords(parsed).map(({ ours, say, names, comments, where }) => [
      ours,
      say,
      where === 'prose' ? '' : names,
      where === 'whole' ? '' : comments,
    ]),
  );

const sources = allSources().filter(({ path }) => !isGenerated(path));
console.log(report(sources, process.argv.includes('--where')).join('\n\n'));
