/** Node's arguments for a command in `scripts`, as in a release: reuses what an earlier run compiled. */
export const programOf = (script: string, args: readonly string[] = []): string[] => [
  '--import',
  './scripts/compile-cache.mjs',
  `scripts/${script}.ts`,
  ...args,
];
