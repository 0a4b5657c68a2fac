import { isTest } from '../sources.ts';
import type { Parsed } from './parse.ts';

export type Size = { workspace: string; files: number; lines: number; testFiles: number; testLines: number };

/** Files and lines per workspace, with tests and test helpers separate. */
export function sizes(files: readonly Pick<Parsed, 'path' | 'lines'>[]): Size[] {
  const found = new Map<string, Size>();
  for (const { path, lines } of files) {
    const workspace = workspaceOf(path);
    const size = found.get(workspace) ?? { workspace, files: 0, lines: 0, testFiles: 0, testLines: 0 };
    found.set(workspace, size);
    if (isTest(path)) {
      size.testFiles++;
      size.testLines += lines;
    } else {
      size.files++;
      size.lines += lines;
    }
  }
  return [...found.values()];
}

export type LongFunctions = {
  workspace: string;
  over40: string[];
  over60: string[];
  unexplained: string[];
  longest: number;
};

/** Source functions of over 40 and over 60 lines, and those over 40 without a reason; excludes tests. */
export function longFunctions(files: readonly Pick<Parsed, 'path' | 'functions'>[]): LongFunctions[] {
  const found = new Map<string, LongFunctions>();
  for (const { path, functions } of files.filter((file) => !isTest(file.path))) {
    const workspace = workspaceOf(path);
    const long = found.get(workspace) ?? { workspace, over40: [], over60: [], unexplained: [], longest: 0 };
    found.set(workspace, long);
    for (const { line, lines, reason } of functions) {
      const where = `${path}:${line} (${lines} lines${reason ? `: ${reason}` : ''})`;
      if (lines > 40) long.over40.push(where);
      if (lines > 40 && !reason) long.unexplained.push(where);
      if (lines > 60) long.over60.push(where);
      long.longest = Math.max(long.longest, lines);
    }
  }
  return [...found.values()];
}

const workspaceOf = (path: string) => path.split('/')[0] ?? '';
