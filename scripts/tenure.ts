import { join } from 'node:path';
import { commands, usage } from './commands.ts';

/** `tenure <command>` of a release. */

const [name = 'help', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) {
  const path = join(import.meta.dirname, command.file);
  // a command parses its options as if node had been started with it
  process.argv = [process.execPath, path, ...args];
  await import(path);
} else if (['help', '--help', '-h'].includes(name)) {
  console.log(usage);
} else {
  console.error(`Unknown command: ${name}\n\n${usage}`);
  process.exitCode = 2;
}
