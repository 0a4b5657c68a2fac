import { basename, dirname, extname } from 'node:path/posix';
import type { Attachment } from '@tenure/contract';
import { cut } from '@tenure/contract/cut';
import { fold } from '../../db/fold.ts';
import { storedFileName } from '../../files/names.ts';
import { categoryOfFolder } from './folder-words.ts';

/** What the path of a file in an archive means: the person, the title, and the category if a folder names one. */
export type Named = { employee_number: string; title: string; category: Attachment['category'] | null };

const most = { number: 255, title: 150 };
const begun = (text: string, length: number) => cut(text, length).trim();

/** A path with its folders, the outermost first. */
type Path = { folders: readonly string[]; stem: string };

function partsOf(path: string): Path {
  const file = storedFileName(basename(path));
  const folder = dirname(path);
  return { folders: folder === '.' ? [] : folder.split('/'), stem: basename(file, extname(file)) };
}

/** The numbers that a folder may mean: its whole name, or the start of a name such as `1001 Anna Berg`. */
const numbersOf = (folder: string): string[] => [folder, folder.split(/[\s_,]/)[0] ?? ''].filter((one) => one !== '');

/** The number at the start of a file name such as `1001_Contract`. */
const numberOfFile = (stem: string) => stem.split('_')[0] ?? '';

/** The texts of paths that may be employee numbers, folded. */
export function possibleNumbers(paths: readonly string[]): string[] {
  const found = paths.map(partsOf).flatMap(({ folders, stem }) => [...folders.flatMap(numbersOf), numberOfFile(stem)]);
  return [...new Set(found.map((one) => fold(begun(one, most.number))))];
}

/** The folder levels that are employee numbers in most paths: usually one, but a year may be a number too. */
function usualLevels(paths: readonly Path[], numberOf: (folder: string) => string | undefined): number[] {
  const counts = new Map<number, number>();
  for (const { folders } of paths)
    for (const [level, folder] of folders.entries())
      if (numberOf(folder) !== undefined) counts.set(level, (counts.get(level) ?? 0) + 1);
  const highest = Math.max(0, ...counts.values());
  return [...counts].flatMap(([level, count]) => (count === highest ? [level] : [])).toSorted((a, b) => a - b);
}

/** The title with the folders inside the person's, because each of them may contain the same name. */
function titleWithin(folders: readonly string[], stem: string): string {
  const kept = folders.filter((folder) => categoryOfFolder(folder) === null);
  const whole = [...kept, stem].join(' – ');
  return begun(Array.from(whole).length > most.title ? stem : whole, most.title);
}

/** `1001_Contract` is a number and a title; a name without an underscore is both. */
function byFileName(stem: string): Pick<Named, 'employee_number' | 'title'> {
  const title = stem.split('_').slice(1).join('_').trim();
  return {
    employee_number: begun(numberOfFile(stem), most.number),
    title: begun(title === '' ? stem : title, most.title),
  };
}

/** The innermost folder that may be a person's. */
function innermost(folders: readonly string[]): number {
  const found = folders.findLastIndex((folder) => categoryOfFolder(folder) === null);
  return found < 0 ? folders.length - 1 : found;
}

/**
 * Reads the paths of an archive. The folders that are employee numbers are on one level: the one where most paths have
 * a known number, so that a folder such as `2023` inside a person's is not mistaken for another person. If two levels
 * match equally, the path keeps both folders as its number, which is unknown. Without a known folder, the number is the
 * start of the file name, or the innermost folder that names no category. `isKnown` gets folded numbers.
 */
export function namedBy(paths: readonly string[], isKnown: (folded: string) => boolean): Named[] {
  const numberOf = (folder: string) => numbersOf(folder).find((one) => isKnown(fold(one)));
  const read = paths.map(partsOf);
  const levels = usualLevels(read, numberOf);
  return read.map(({ folders, stem }): Named => {
    const category =
      folders
        .toReversed()
        .map(categoryOfFolder)
        .find((one) => one !== null) ?? null;
    const own = levels.filter((level) => numberOf(folders[level] ?? '') !== undefined);
    const level = own[0] ?? levels.find((one) => one < folders.length);
    const isByName = level === undefined && (folders.length === 0 || isKnown(fold(numberOfFile(stem))));
    if (isByName) return { ...byFileName(stem), category };
    const first = level ?? innermost(folders);
    const last = own.at(-1) ?? first;
    const folder = folders.slice(first, last + 1).join('/');
    const employee_number = begun(first === last ? (numberOf(folder) ?? folder) : folder, most.number);
    return { employee_number, title: titleWithin(folders.slice(last + 1), stem), category };
  });
}
