import { spawn } from 'node:child_process';

/** `npm run dev`: the service with automatic restart on 8000, and Vite with hot replacement on 5173 in front of it. */

const environment = {
  ...process.env,
  FRONTEND_URL: process.env.FRONTEND_URL ?? 'http://localhost:5173,http://localhost:8000',
};
const children = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
    stdio: 'inherit',
    env: environment,
  }),
  spawn('npx', ['vite', '--port', '5173', '--strictPort'], { cwd: 'web', stdio: 'inherit' }),
];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill('SIGTERM');
  });
for (const child of children)
  child.on('exit', () => {
    for (const other of children) other.kill('SIGTERM');
  });
