import { basename } from 'node:path';
import type { Parsed } from './parse.ts';

/**
 * Words of our own and the standard term to use instead. `part`: in any part of a name and in comments, because the
 * word has no other meaning; `whole`: only as a whole name, because it is plain English elsewhere.
 */
type Word = { ours: string; say: string; where: 'part' | 'whole' | 'prose' };

const asked = (where: Word['where'], pairs: Record<string, string>): Word[] =>
  Object.entries(pairs).map(([ours, say]) => ({ ours, say, where }));

export const words: readonly Word[] = [
  ...asked('part', {
    holes: 'security tests',
    faults: 'resilience tests',
    entrance: 'auth routes',
    visit: 'request context',
    gate: 'session cookies',
    proven: 'session cache',
    'early answer': 'drain',
    tell: 'notify',
    judge: 'check',
    judged: 'checked',
    spend: 'consume',
    forget: 'delete',
    told: 'notification item',
    trail: 'history',
    standing: 'capacity',
    settle: 'bulk transitions',
    'hand over': 'reassign',
    lanes: 'concurrency',
    twins: 'aliases',
    veil: 'redact',
    patience: 'timeout',
    'by others': 'read only for self',
    grave: 'destructive',
    stranded: 'unsavable edits',
    manner: 'options',
    telltale: 'options',
    news: 'live updates',
    nobody: 'empty state; user, person, caller, actor',
    somebody: 'user, person, caller, actor',
    whoever: 'user, person, caller, actor',
  }),
  ...asked('whole', {
    presented: 'credentials',
    bound: 'route',
    place: 'route match',
    work: 'execute',
    room: 'disk space',
    reading: 'read-only routes',
    respond: 'reply',
    machine: 'transitions',
    world: 'import context',
    must: 'required',
    once: 'create only',
    quiet: 'optional',
    first: 'primary',
    meet: 'merge',
    put: 'set',
    take: 'submit',
    face: 'adapter',
    nothing: 'empty state',
    way: 'stepper',
    bar: 'action bar',
    piece: 'evidence item',
    facts: 'rule context; description list; workflow row',
  }),
  ...asked('prose', { 'what waits': 'task', 'is told': 'is notified' }),
];

/** `twoWords`, `TWO_WORDS` and `two-words` are the same. */
const spaced = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();

/** Where a word is the standard term for something else: a typeface, an HTTP method, a computer, a group of fields. */
const standard: Readonly<Record<string, RegExp>> = {
  face: /^server\/src\/pdf\//,
  piece: /^server\/src\/pdf\//,
  machine: /^bench\//,
  put: /^server\/src\/testing\/(client|remote)\.ts$/,
  work: /^server\/src\/(people\/policy|features\/employees\/directory\/list)\.ts$/,
};

const folders = (paths: readonly string[]) =>
  new Set(
    paths.flatMap((path) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, index, parts) => parts.slice(0, index + 1).join('/')),
    ),
  );

export type WordCount = Word & { names: number; comments: number };

/** How often each word occurs in a declared name (including folders and files) and in a comment. */
export function countWords(files: readonly Pick<Parsed, 'path' | 'names' | 'comments'>[], list = words): WordCount[] {
  const names = [
    ...files.flatMap(({ path, names }) => names.map((name) => ({ path, name: spaced(name) }))),
    ...[...folders(files.map((file) => file.path))].map((path) => ({ path, name: spaced(basename(path)) })),
  ];
  const comments = files.flatMap((file) => file.comments).map((comment) => comment.replace(/\s+\*?\s*/g, ' '));
  return list.map((word) => {
    const pattern = new RegExp(`\\b${word.ours.replace(' ', '[- ]')}\\b`, 'gi');
    const matches = ({ path, name }: { path: string; name: string }) =>
      !standard[word.ours]?.test(path) &&
      (word.where === 'whole' ? name === word.ours : word.where === 'part' && ` ${name} `.includes(` ${word.ours} `));
    return {
      ...word,
      names: names.filter(matches).length,
      comments:
        word.where === 'whole' ? 0 : comments.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0),
    };
  });
}
