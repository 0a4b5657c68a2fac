import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { lineOf } from '../server/src/backup/refusal.ts';
import { calledAs, commands } from './commands.ts';

/**
 * Parses the options of a command. Refuses a repeated option, because the wrong one might count, and an empty one,
 * because an unset shell variable must not stand for a default.
 */
export function readCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  const given = new Set<string>();
  for (const token of parseArgs({ ...config, tokens: true }).tokens ?? []) {
    if (token.kind !== 'option' || token.value === undefined) continue;
    if (token.value.trim() === '') throw new Error(`${token.rawName} has no value. See --help.`);
    if (given.has(token.name)) throw new Error(`${token.rawName} is given twice: give it once. See --help.`);
    given.add(token.name);
  }
  return parseArgs<T>(config);
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Refuses options that have no effect in this mode: `--list --new` would not start a new archive. `json` is added by
 * the worker.
 */
export function takeOnly(values: Values, mode: string, taken: readonly string[]): void {
  const isGiven = (name: string) => values[name] !== undefined && values[name] !== false;
  const other = Object.keys(values).find((name) => isGiven(name) && ![mode, 'json', ...taken].includes(name));
  if (other !== undefined) throw new Error(`--${other} cannot be used with --${mode}. See --help.`);
}

/** For a command without options: `--help` says what it does; anything else is refused before anything is done. */
export function takeNoOptions(name: string): void {
  try {
    const { values } = readCommandLine({ options: { help: { type: 'boolean' } } });
    if (!values.help) return;
    console.log(`${calledAs(name)}\n    ${commands[name]?.summary ?? ''}`);
    process.exit(0);
  } catch (error) {
    console.error(lineOf(error));
    process.exit(1);
  }
}
