import { expect, test } from 'vitest';
import { allSources } from '../sources.ts';
import { circles, edgesOf, featureCoupling } from './coupling.ts';
import { inputTests } from './input.ts';
import { likeness } from './likeness.ts';
import { ownInputHooks, parse } from './parse.ts';
import { longFunctions, sizes } from './sizes.ts';
import { countWords } from './words.ts';

const parsed = (path: string, ...lines: string[]) => parse({ path, text: `${lines.join('\n')}\n` });
const feature = (name: string) => `server/src/features/${name}`;
const statements = (count: number) => Array.from({ length: count }, () => '  call();');

test('imports are values or types, at once or later, and packages lead nowhere', () => {
  const file = parsed(
    'server/src/a.ts',
    "import type { A } from './b.ts';",
    "import { type B, c } from './c.ts';",
    "import './effect.ts';",
    "export type { D } from '../d.ts';",
    "export * from './e.ts';",
    "const later = import('./f.ts');",
    "import pg from 'pg';",
  );
  expect(edgesOf([file]).map(({ to, kind }) => `${to} ${kind}`)).toEqual([
    'server/src/b.ts type',
    'server/src/c.ts value',
    'server/src/effect.ts value',
    'server/d.ts type',
    'server/src/e.ts value',
    'server/src/f.ts value',
  ]);
});

test('features are coupled by pairs of features and of files, each counted once', () => {
  const edges = edgesOf([
    parsed(`${feature('employees')}/a.ts`, "import { b } from '../departments/b.ts';", "import { c } from './c.ts';"),
    parsed(
      `${feature('departments')}/b.ts`,
      "import { a } from '../employees/a.ts';",
      "import type { A } from '../employees/a.ts';",
    ),
    parsed(`${feature('search')}/s.ts`, "import { a } from '../employees/a.ts';", "import { d } from '../../db/d.ts';"),
  ]);
  const { files, mutual, usersOf, usedBy } = featureCoupling(edges);
  expect(files).toHaveLength(3);
  expect(mutual).toEqual(['departments ↔ employees']);
  expect(usersOf('employees')).toEqual(['departments', 'search']);
  expect(usedBy('employees')).toEqual(['departments']);
});

test('files that reach each other are one circle, others none', () => {
  const edges = ['a b', 'b c', 'c a', 'c d', 'd e', 'e d', 'e f', 'x a'].map((edge) => {
    const [from = '', to = ''] = edge.split(' ');
    return { from, to };
  });
  expect(new Set(circles(edges).map((circle) => circle.join()))).toEqual(new Set(['a,b,c', 'd,e']));
  expect(circles([{ from: 'a', to: 'b' }])).toEqual([]);
});

test('functions over 40 and over 60 lines are found, nested ones as well, tests left out', () => {
  const body = [
    'function outer() {',
    ...statements(20),
    '  const inner = () => {',
    ...statements(39),
    '  };',
    '}',
    'const short = () => {',
    ...statements(38),
    '};',
  ];
  const [long] = longFunctions([parsed('web/src/a.tsx', ...body), parsed('web/src/a.test.tsx', ...body)]);
  expect(long).toEqual({
    workspace: 'web',
    over40: ['web/src/a.tsx:1 (63 lines)', 'web/src/a.tsx:22 (41 lines)'],
    over60: ['web/src/a.tsx:1 (63 lines)'],
    unexplained: ['web/src/a.tsx:1 (63 lines)', 'web/src/a.tsx:22 (41 lines)'],
    longest: 63,
  });
});

test('a long function may give a reason in the comment above it', () => {
  const comment = ['/**', ' * Counts. Over 40 lines:', ' * one statement. Others follow.', ' */'];
  const arrow = ['export const rows = async () => {', ...statements(40), '};'];
  const [long] = longFunctions([parsed('web/src/a.tsx', ...comment, ...arrow, '', ...arrow)]);
  expect(long?.over40).toEqual(['web/src/a.tsx:5 (42 lines: one statement)', 'web/src/a.tsx:48 (42 lines)']);
  expect(long?.unexplained).toEqual(['web/src/a.tsx:48 (42 lines)']);
});

test('lines and files are counted per workspace, tests apart', () => {
  expect(
    sizes([parsed('web/a.ts', 'x;', 'y;'), parsed('web/a.test.ts', 'x;'), parsed('web/testing/b.ts', 'x;')]),
  ).toEqual([{ workspace: 'web', files: 1, lines: 2, testFiles: 2, testLines: 2 }]);
});

test('files handle state or input by a hook or a handler; their tests render or import them', () => {
  const files = [
    parsed('web/src/hook.ts', 'const [on, setOn] = useState(false);'),
    parsed('web/src/queue.ts', 'const { send } = useSequentialSend(settings.update);'),
    parsed('web/src/field.tsx', 'export const field = <input onChange={change} />;', 'x;'),
    parsed('web/src/drag.ts', 'export const handle = { onDragStart: begin };'),
    parsed('web/src/label.tsx', 'export const label = <p onClick={open}>{useText()}</p>;'),
    parsed('web/src/props.ts', 'export type Props = { onChange: () => void };'),
    parsed('server/src/hook.ts', 'useState();'),
    parsed('web/src/page.test.tsx', "import { screen } from '@testing-library/react';", 'x;'),
    parsed('web/src/hook.test.ts', "import { on } from './hook.ts';"),
    parsed('web/src/label.test.ts', "import { label } from './label.tsx';"),
    parsed('web/src/testing/start.tsx', "import { render } from '@testing-library/react';"),
  ];
  expect(inputTests(files)).toEqual({ files: 4, lines: 5, testLines: 3 });
});

test('every hook for input that the figures know exists', () => {
  const web = allSources().filter(({ path }) => path.startsWith('web/src/'));
  const isDefined = (name: string) =>
    web.some(
      ({ text }) => text.includes(`export function use${name}<`) || text.includes(`export function use${name}(`),
    );
  expect(ownInputHooks.split('|').filter((name) => !isDefined(name))).toEqual([]);
});

test('types of a part of the request context are found, exported or not, and other ones are not', () => {
  const { contextTypes } = parsed(
    'server/src/a.ts',
    "type Doing = Pick<Ctx, 'db' | 'actor' | 'request'>;",
    "type Signing = Pick<Ctx, 'db' | 'deps'>;",
    'type Asking = { db: Db; actor: Actor };',
    "export type Shared = Pick<Ctx, 'db'>;",
    'type Row = { id: number };',
    'type Rules = { load: (db: Db, actor: Actor) => void };',
  );
  expect(contextTypes).toEqual([
    { name: 'Doing', exported: false, plain: true },
    { name: 'Signing', exported: false, plain: false },
    { name: 'Asking', exported: false, plain: false },
    { name: 'Shared', exported: true, plain: false },
  ]);
});

test('lines in common are those in the same order, whatever the noun, in files of one name', () => {
  const sources = [
    {
      path: 'web/kpi-evaluations/EvaluationPage.tsx',
      text: 'read(evaluation);\n\n  first();\n{\n}\nsecond();\nthird();\n',
    },
    { path: 'web/kpi-evaluations/own.ts', text: 'read(evaluation);\n' },
    { path: 'web/probation-reviews/ReviewPage.tsx', text: 'read(review);\nsecond();\nfirst();\nthird();\n' },
  ];
  expect(likeness(sources, ['web/kpi-evaluations/', 'web/probation-reviews/'])).toEqual([
    { name: 'nounPage.tsx', common: 3, lines: 4 },
  ]);
});

test('words are counted in declared names and in comments, plain English only as a whole name', () => {
  const file = parsed(
    'server/src/holes/tell-others.ts',
    '// whoever waits is told',
    'export const tellCancelled = 1;',
    'type Place = { first: string; firstName: string };',
    'function placeOf() { const tell = first(place); return tell; }',
  );
  const count = (ours: string) => {
    const found = countWords([file]).find((word) => word.ours === ours);
    return [found?.names, found?.comments];
  };
  expect(count('holes')).toEqual([1, 0]);
  expect(count('tell')).toEqual([2, 0]);
  expect(count('told')).toEqual([0, 1]);
  expect(count('is told')).toEqual([0, 1]);
  expect(count('whoever')).toEqual([0, 1]);
  expect(count('place')).toEqual([1, 0]);
  expect(count('first')).toEqual([1, 0]);
});

test('a word is not counted where it is the standard term for something else', () => {
  const text = ['type Face = { face: string };'];
  const files = [parsed('server/src/pdf/draw.ts', ...text), parsed('server/src/mail/draw.ts', ...text)];
  expect(countWords(files).find(({ ours }) => ours === 'face')?.names).toBe(2);
});
