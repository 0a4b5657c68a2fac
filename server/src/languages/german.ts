import { account } from './de/account.ts';
import { attributes } from './de/attributes.ts';
import { departments } from './de/departments.ts';
import { employees } from './de/employees.ts';
import { files } from './de/files.ts';
import { general } from './de/general.ts';
import { imports } from './de/imports.ts';
import { kpi } from './de/kpi.ts';
import { kpiSteps } from './de/kpi-steps.ts';
import { notifications } from './de/notifications.ts';
import { phrases } from './de/phrases.ts';
import { probation } from './de/probation.ts';
import { roles } from './de/roles.ts';
import { validation } from './de/validation.ts';
import { words } from './de/words.ts';
import { matcherOf } from './matcher.ts';
import type { Reader } from './matcher.ts';

/** Every message of the service; a file holds those of one part. */
export const germanTexts = [
  account,
  departments,
  employees,
  files,
  general,
  imports,
  kpi,
  kpiSteps,
  notifications,
  probation,
  roles,
  validation,
];

const number: Reader = (found) =>
  /^-?\d+(,\d{3})*(\.\d+)?$/.test(found) ? found.replaceAll(/[.,]/g, (mark) => (mark === ',' ? '.' : ',')) : undefined;

/** A path into a list names its place as people count: `items.0.name` is "Kriterien 1 Name". */
const attribute: Reader = (found) =>
  attributes[found] ??
  found
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : (attributes[part.replaceAll('_', ' ')] ?? part)))
    .join(' ');

function date(found: string): string | undefined {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(found);
  if (day) return `${day[3]}.${day[2]}.${day[1]}`;
  if (found === 'today') return 'heute';
  return attributes[found] && `„${attributes[found]}“`;
}

const word: Reader = (found) => words[found];
const verbatim: Reader = (found) => found;

const phrase = matcherOf(phrases, { n: number, text: verbatim });

/** `a, b and c` */
function list(found: string): string | undefined {
  const parts = found.split(/, | and /).map(phrase);
  if (parts.includes(undefined)) return undefined;
  return parts.length < 2 ? parts[0] : `${parts.slice(0, -1).join(', ')} und ${parts.at(-1)}`;
}

const rows: Reader = (found) =>
  /^[\d, and]+(more)?$/.test(found) ? found.replace('and more', 'und weitere').replace(' and ', ' und ') : undefined;

const message: Reader = (found) => sentence(found);

const sentence = matcherOf(Object.assign({}, ...germanTexts), {
  attribute,
  date,
  list,
  message,
  n: number,
  rows,
  text: verbatim,
  word,
});

/** A message of the service in German; undefined when it is none or nobody has translated it. */
export function german(text: string): string | undefined {
  const more = / \(and (\d+) more errors?\)$/.exec(text);
  if (!more) return sentence(text) ?? list(text);
  const first = sentence(text.slice(0, more.index));
  return first && `${first} (und ${more[1] === '1' ? '1 weiterer Fehler' : `${more[1]} weitere Fehler`})`;
}
