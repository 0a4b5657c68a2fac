import { describe } from 'vitest';
import { openWithFinger, openWithMouse, sizes } from './chromium.ts';
import { walkThrough } from './walks.ts';

describe('with a mouse', () => {
  walkThrough('chromium', openWithMouse, sizes.desktop);
});
describe('with a finger', () => {
  walkThrough('chromium-phone', openWithFinger, sizes.phone);
});
