import { settings } from './settings.ts';

/** Names in the environment that look like a setting but are none: a typing mistake would go unnoticed. */

/** An unknown name, with the setting that it resembles. */
export type Misspelt = { name: string; nearest: string };

/** The valid names of settings; `NAME_FILE` names the file with the value. */
const known = new Set(Object.keys(settings.shape).flatMap((name) => [name, `${name}_FILE`]));

/** First words of settings that other programs rarely use: names that start with them were meant for this service. */
const ownWords = ['BACKUP', 'DATABASE', 'EGRESS', 'SMTP', 'STORAGE'];
const firstWord = (name: string) => name.split('_', 1)[0] as string;

/** What Kubernetes sets for each service of a namespace, whatever its name. */
const isServiceLink = (name: string) => /_(SERVICE_(HOST|PORT)|PORT)(_|$)/.test(name);

/** The number of letters left out, added, replaced or swapped between two names. */
export function distance(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const turned = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (last?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last?.[j - 1] ?? 0) + (isSame ? 0 : 1),
        turned ? (before?.[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last ?? [], row];
  }
  return last?.[other.length] ?? 0;
}

/** In a short name, one letter makes another word: `POST` is not `PORT`, nor `API_KEY` `APP_KEY`. */
function isNear(name: string, setting: string, apart: number): boolean {
  if (setting.length >= 8) return apart <= 2;
  return apart === 1 && setting.includes('_') && firstWord(name) === firstWord(setting);
}

/** Comparing each name with every setting would take 40 ms of a start: others cannot be close enough. */
const mayBeNear = (name: string, setting: string) =>
  name[0] === setting[0] && Math.abs(name.length - setting.length) <= 2;

function nearestTo(name: string): string | undefined {
  const isOwn = ownWords.includes(firstWord(name));
  const near = [...known]
    .filter((one) => (isOwn ? firstWord(one) === firstWord(name) : mayBeNear(name, one)))
    .map((one) => ({ one, apart: distance(name, one) }))
    .filter(({ one, apart }) => isOwn || isNear(name, one, apart))
    .toSorted((a, b) => a.apart - b.apart);
  return near[0]?.one;
}

/** Reports only names, never values. */
export function misspeltSettings(env: Readonly<Record<string, string | undefined>>): Misspelt[] {
  return Object.keys(env)
    .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name) && env[name] && !known.has(name) && !isServiceLink(name))
    .toSorted()
    .flatMap((name) => {
      const nearest = nearestTo(name);
      return nearest === undefined ? [] : [{ name, nearest }];
    });
}
