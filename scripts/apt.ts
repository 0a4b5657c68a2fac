import { spawn } from 'node:child_process';

const isRoot = process.getuid?.() === 0;

/** Runs Debian's package tool without interaction; returns whether it succeeded. */
export function apt(...args: string[]): Promise<boolean> {
  const child = spawn(isRoot ? 'apt-get' : 'sudo', isRoot ? args : ['-n', 'apt-get', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done) => {
    child.once('error', () => done(false));
    child.once('close', (status) => done(status === 0));
  });
}
