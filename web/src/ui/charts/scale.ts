export type Scale = { from: number; to: number; steps: number[] };

/**
 * An axis for values: three to six steps of 1, 2 or 5 times a power of ten. It begins at zero unless all values are
 * close together.
 */
export function niceSteps(values: readonly number[]): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values, 1)];
  const from = least > 0.6 * most ? least : 0;
  const raw = Math.max(1, (most - from) / 4);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((one) => one * power >= raw) ?? 10);
  const start = Math.max(0, Math.floor((from - (from > 0 ? step / 2 : 0)) / step) * step);
  const steps = [start];
  while ((steps.at(-1) ?? 0) < most) steps.push((steps.at(-1) ?? 0) + step);
  return { from: start, to: steps.at(-1) ?? 1, steps };
}
