/** The scale of a result; if less is better, `from` is the larger number. */
export type Scale = { unit: 'percent' | 'points'; from: number; to: number };

const digits = '-?\\d{1,6}(?:[.,]\\d{1,3})?';
const readDigits = (text: string) => Number(text.replace(',', '.'));

const percent: Scale = { unit: 'percent', from: 0, to: 100 };
const percentWord = /^(?:%|percent|percentage|per cent|pct|prozent|in %)$/i;
const range = new RegExp(
  `^(${digits}) *(?:-|–|—|to|bis|\\.\\.\\.?|:) *(${digits}) *(%|percent|prozent|points|punkte)?$`,
  'i',
);
const outOf = new RegExp(`^(?:/|of|out of|max|von|maximal)? *(\\d{1,6}) *(?:points|punkte|stars|sterne)?$`, 'i');

/** Reads a scale: `percent`, `1-5`, `1 to 5`, `0–100 %`, `6-1` if less is better, or `5` for 0 to 5. */
export function readScale(text: string): Scale | undefined {
  if (percentWord.test(text)) return percent;
  const [, from, to, word] = range.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    const scale: Scale = { unit: 'points', from: readDigits(from), to: readDigits(to) };
    if (scale.from === scale.to) return undefined;
    if (!word || /^p(?:oints|unkte)$/i.test(word)) return scale;
    return scale.from === 0 && scale.to === 100 ? percent : undefined;
  }
  const most = Number(outOf.exec(text)?.[1] ?? 0);
  return most > 0 ? { unit: 'points', from: 0, to: most } : undefined;
}

const number = new RegExp(`^(${digits}) *(%)?$`);

/** Reads a result: a number with up to three decimals, point or comma, and optionally a percent sign. */
export function readResult(text: string): { value: number; isPercent: boolean } | undefined {
  const [, value, sign] = number.exec(text) ?? [];
  return value === undefined ? undefined : { value: readDigits(value), isPercent: sign !== undefined };
}
