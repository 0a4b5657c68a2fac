import { seededRoles } from '@tenure/contract';
import type { SeededRole } from '@tenure/contract';

/** Letters that look like Latin ones, in upper and lower case. */
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
 * The visual form of a name: without case, accents, spaces and signs, and with lookalike letters replaced. The database
 * function `name_shape` does the same for people's names.
 */
export function shapeOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/[\p{M}\p{C}]/gu, '');
  return swap(swap(plain, capital).toLowerCase(), other)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** True if the texts differ by one added, missing, replaced or swapped letter. */
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

/** Names up to this length must match exactly. */
const short = 4;

/** The built-in role that a name resembles, ignoring case, spaces, signs, accents, lookalikes or one typing error. */
export function lookalikeOf(name: string): SeededRole | undefined {
  const shape = shapeOf(name);
  return known.find(([one]) => one === shape || (one.length > short && differsByOne(one, shape)))?.[1];
}
