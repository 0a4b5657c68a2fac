import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A release contains the Node that builds it. */

const program = realpathSync(process.execPath);

/** Libraries that Node needs and minimal systems lack. */
const carried = ['libatomic.so.1'];

/** Where this system's loader finds the libraries of a program. */
function librariesOf(path: string): Map<string, string> {
  const text = execFileSync('ldd', [path], { encoding: 'utf8' });
  return new Map([...text.matchAll(/^\s*(\S+) => (\/\S+)/gm)].map(([, name = '', file = '']) => [name, file]));
}

/** Removes what only a debugger reads; without the tool, the program stays as it is. */
function strip(path: string): void {
  const { error, status, stderr } = spawnSync('strip', [path], { encoding: 'utf8' });
  if (error) console.log('strip is not installed: bin/node stays 30 MB larger.');
  else if (status !== 0) throw new Error(`strip: ${stderr}`);
}

/** Copies Node to `bin/` and the libraries it needs to `lib/`. Returns the libraries' names. */
export function addNode(tree: string): string[] {
  for (const folder of ['bin', 'lib']) mkdirSync(join(tree, folder), { recursive: true });
  const target = join(tree, 'bin/node');
  copyFileSync(program, target);
  chmodSync(target, 0o755);
  strip(target);
  const libraries = librariesOf(program);
  const needed = carried.filter((name) => libraries.has(name));
  for (const name of needed) copyFileSync(realpathSync(libraries.get(name) ?? ''), join(tree, 'lib', name));
  return needed;
}

/** The file with Node's licences, in its installation folder. */
export function nodeLicence(): string | undefined {
  const folder = dirname(dirname(program));
  return [join(folder, 'LICENSE'), join(folder, 'share/doc/nodejs/LICENSE')].find((path) => existsSync(path));
}
