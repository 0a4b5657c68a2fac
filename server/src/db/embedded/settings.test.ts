import { expect, test } from 'vitest';
import { embeddedSettings } from './settings.ts';

const MB = 1024 * 1024;

test.each([
  [512, '128MB', '256MB'],
  [1_024, '128MB', '512MB'],
  [4_096, '512MB', '2048MB'],
  [65_536, '1024MB', '32768MB'],
])('with %i MB for all, PostgreSQL has %s of shared buffers and expects %s of cache', (memory, buffers, cache) => {
  expect(embeddedSettings(undefined, memory * MB)).toMatchObject({
    shared_buffers: buffers,
    effective_cache_size: cache,
  });
});
