/** What Node gets to run a command of `scripts` as a release does: what an earlier one compiled is kept. */
export const programOf = (script: string, args: readonly string[] = []): string[] => [
  '--import',
  './scripts/compile-cache.mjs',
  `scripts/${script}.ts`,
  ...args,
];
