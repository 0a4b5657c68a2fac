import { basename, dirname, extname } from 'node:path/posix';
import { storedFileName } from '../../files/names.ts';

/** What the path of a file in an archive says: whose it is, and its title. */
export type Named = { employee_number: string; title: string };

const most = { number: 255, title: 150 };
const cut = (text: string, length: number) => Array.from(text).slice(0, length).join('').trim();

/**
 * Reads `…/<employee number>/<title>.<ending>`: the innermost folder is the number. A file outside of folders is
 * `<employee number>_<title>.<ending>`; without an underscore its name is number and title.
 */
export function namedBy(path: string): Named {
  const file = storedFileName(basename(path));
  const stem = basename(file, extname(file));
  const folder = basename(dirname(path));
  if (folder !== '' && folder !== '.')
    return { employee_number: cut(folder, most.number), title: cut(stem, most.title) };
  const [number = '', ...rest] = stem.split('_');
  const title = rest.join('_').trim();
  return { employee_number: cut(number, most.number), title: cut(title === '' ? stem : title, most.title) };
}
