import { isTest } from '../sources.ts';
import { edgesOf } from './coupling.ts';
import type { Parsed } from './parse.ts';

const isRendering = ({ imports }: Pick<Parsed, 'imports'>) =>
  imports.some(({ from }) => from.startsWith('@testing-library/'));

/**
 * Lines in the browser application's files that handle state or input, and in their tests. A file does if it calls a
 * hook for state, a form or a request that changes data, or handles changes, submissions, keys, pointers or drags. A
 * test counts if it renders components or imports such a file. Test helpers do not count.
 */
export function inputTests(files: readonly Pick<Parsed, 'path' | 'lines' | 'imports' | 'handlesInput'>[]) {
  const web = files.filter(({ path }) => path.startsWith('web/src/'));
  const handling = web.filter(({ path, handlesInput }) => handlesInput && !isTest(path));
  const paths = new Set(handling.map(({ path }) => path));
  const tests = web
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .filter((test) => isRendering(test) || edgesOf([test]).some(({ to }) => paths.has(to)));
  const linesOf = (some: typeof web) => some.reduce((sum, { lines }) => sum + lines, 0);
  return { files: handling.length, lines: linesOf(handling), testLines: linesOf(tests) };
}
