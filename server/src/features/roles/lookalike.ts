import { seededRoles } from '@tenure/contract';
import type { SeededRole } from '@tenure/contract';

/** Letters that look like Latin ones, before and after they are written small. */
const capitals = 'АВЕКМНОРСТХУІЈЅԌԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧᎪᎬᎻᏞᎷᎡᏒᎠ';
const asCapitals = 'abekmhopctxyijsgqwabezhikmnoptyxaehlmrrd';
const small = 'аеорсухіјѕкмтнгпԁԛԝαεικνορτυχμոօհɑɡıʜʀᴀᴅᴍɪɴᴇɢʟᴘʏᴏᴛ';
const asSmall = 'aeopcyxijskmthrndqwaeikvoptuxmnohagihradminegipyot';
const signs = '01!|3458@$7';
const asSigns = 'oiiieasbast';

const shapes = (from: string, to: string): [string, string][] =>
  // oxlint-disable-next-line typescript/no-misused-spread -- letters, none of which is made of several
  [...from].map((letter, place): [string, string] => [letter, to.charAt(place)]);
const capital = new Map(shapes(capitals, asCapitals));
const other = new Map([...shapes(small, asSmall), ...shapes(signs, asSigns), ['l', 'i']] as [string, string][]);

const swap = (text: string, map: ReadonlyMap<string, string>) =>
  // oxlint-disable-next-line typescript/no-misused-spread -- marks are gone, so that each code point is a letter
  [...text].map((letter) => map.get(letter) ?? letter).join('');

/**
 * What is left of a name for an eye in a hurry: no case, accents, spaces or signs, and letters by their shape. The
 * function `name_shape` of the database makes the same of the names of people.
 */
export function shapeOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/[\p{M}\p{C}]/gu, '');
  return swap(swap(plain, capital).toLowerCase(), other)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** True when one letter more, less, different or in the place of its neighbour makes one text of the other. */
function differsByOne(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = (text: string, from: number) => text.slice(from);
  if (short.length < long.length) return rest(short, at) === rest(long, at + 1);
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return rest(short, at + 1) === rest(long, at + 1) || (swapped && rest(short, at + 2) === rest(long, at + 2));
}

const known: readonly [shape: string, role: SeededRole][] = [
  ...seededRoles.map((role): [string, SeededRole] => [shapeOf(role), role]),
  [shapeOf('Administrator'), 'Admin'],
  [shapeOf('Human resources'), 'HR'],
];

/** Names as short as this are compared letter by letter only. */
const short = 4;

/** The built-in role that a name could be taken for: the same but for case, spaces, signs, accents, look-alikes or a slip. */
export function lookalikeOf(name: string): SeededRole | undefined {
  const shape = shapeOf(name);
  return known.find(([one]) => one === shape || (one.length > short && differsByOne(one, shape)))?.[1];
}
