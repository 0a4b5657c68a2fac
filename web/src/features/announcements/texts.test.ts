import { afterEach, expect, test, vi } from 'vitest';
import { newTexts } from './texts.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test.each([
  ['Pacific/Auckland', '2026-06-02', '2026-06-16'],
  ['Pacific/Honolulu', '2026-06-01', '2026-06-15'],
])('a new announcement begins on the day of its writer in %s', (zone, starts_on, ends_on) => {
  vi.stubEnv('TZ', zone);
  vi.useFakeTimers({ now: new Date('2026-06-01T20:00:00Z') });
  expect(newTexts()).toMatchObject({ starts_on, ends_on });
});
