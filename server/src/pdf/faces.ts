import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create } from 'fontkit';

/** Maps characters to font files. The families are split into slices, so that a document loads only what it needs. */

export type Style = 'plain' | 'strong' | 'script';

/** A slice of a family in one weight. */
export type Face = { name: string; path: string; axes: Record<string, number> | undefined };

type Family = { package: string; file: (slice: string) => string; isVariable: boolean };
type Slice = { family: Family; slice: string; path: string; ranges: readonly (readonly [number, number])[] };

const requireFont = createRequire(import.meta.url);

const variable = (name: string): Family => ({
  package: `@fontsource-variable/${name}`,
  file: (slice) => `${name}-${slice}-wght-normal.woff2`,
  isVariable: true,
});

const latin = variable('noto-sans');
const rightToLeft = [variable('noto-sans-arabic'), variable('noto-sans-hebrew')];
const chinese = variable('noto-sans-sc');
const japanese = variable('noto-sans-jp');
const korean = variable('noto-sans-kr');
const handwriting: Family = {
  package: '@fontsource/dancing-script',
  file: (slice) => `dancing-script-${slice}-400-normal.woff2`,
  isVariable: false,
};

/** Chinese, Japanese and Korean draw the same ideograph differently. */
function eastAsian(text: string, country: string | null): Family[] {
  if (country === 'JP' || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return [japanese, chinese, korean];
  if (country === 'KR' || /\p{Script=Hangul}/u.test(text)) return [korean, chinese, japanese];
  return [chinese, japanese, korean];
}

/** `U+600-6FF` */
function rangeOf(text: string): [number, number] {
  const [first = '', last = first] = text.slice(2).split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

const slicesByFamily = new Map<Family, readonly Slice[]>();

function slicesOf(family: Family): readonly Slice[] {
  const known = slicesByFamily.get(family);
  if (known) return known;
  const list = requireFont.resolve(`${family.package}/unicode.json`);
  const listed = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
  const slices = Object.entries(listed).map(([name, ranges]) => {
    const slice = name.replaceAll(/[[\]]/g, '');
    const path = join(dirname(list), 'files', family.file(slice));
    return { family, slice, path, ranges: ranges.split(',').map(rangeOf) };
  });
  slicesByFamily.set(family, slices);
  return slices;
}

const coverage = new Map<string, ReadonlySet<number>>();

/** The characters in a file: fewer than its ranges, which are rounded for browsers. */
function charactersIn(path: string): ReadonlySet<number> {
  const known = coverage.get(path);
  if (known) return known;
  const font = create(readFileSync(path));
  const characters = new Set('characterSet' in font ? font.characterSet : []);
  coverage.set(path, characters);
  return characters;
}

const has = (codePoint: number) => (slice: Slice) =>
  slice.ranges.some(([first, last]) => codePoint >= first && codePoint <= last) &&
  charactersIn(slice.path).has(codePoint);

function faceIn(slice: Slice, style: Style): Face {
  const { family } = slice;
  const weight = style === 'strong' ? 600 : 400;
  return {
    name: `${family.package}/${slice.slice}/${weight}`,
    path: slice.path,
    axes: family.isVariable ? { wght: weight } : undefined,
  };
}

export type FaceOf = (codePoint: number) => Face;

/** Finds the face of each character of a text; a character without one shows as an empty box. */
export function facesFor(text: string, style: Style, country: string | null = null): FaceOf {
  const families = [...(style === 'script' ? [handwriting] : []), latin, ...rightToLeft, ...eastAsian(text, country)];
  const found = new Map<number, Face>();
  const fallback = slicesOf(latin).find(({ slice }) => slice === 'latin') as Slice;
  return (codePoint) => {
    const known = found.get(codePoint);
    if (known) return known;
    const slices = families.flatMap(slicesOf);
    const face = faceIn(slices.find(has(codePoint)) ?? fallback, style);
    found.set(codePoint, face);
    return face;
  };
}
