import { expect, test } from 'vitest';
import { niceSteps } from './scale.ts';

test('an axis has round steps that cover every value', () => {
  expect(niceSteps([0, 3, 7])).toEqual({ from: 0, to: 8, steps: [0, 2, 4, 6, 8] });
  expect(niceSteps([940, 1_010])).toEqual({ from: 920, to: 1_020, steps: [920, 940, 960, 980, 1_000, 1_020] });
  expect(niceSteps([5])).toEqual({ from: 4, to: 5, steps: [4, 5] });
  expect(niceSteps([0])).toEqual({ from: 0, to: 1, steps: [0, 1] });
});
