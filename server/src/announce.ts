import type { Logger } from 'pino';
import type { FirstAdmin } from './features/sessions/first-admin.ts';

// oxlint-disable-next-line no-console -- a write to the stream would end the process where the output is full
export const print = (line: string): void => console.log(line);

/** Prints for the person who started the service where it is and how to sign in. */
export function announce(log: Logger, address: string, firstAdmin: FirstAdmin | undefined) {
  print(`\n  Tenure is ready at ${address}\n`);
  if (!firstAdmin) return;
  const { email, password, file, warnings } = firstAdmin;
  if (file)
    log.info({ event: 'first_admin', file }, 'the file contains the one-time password of the first administrator');
  print(`  Sign in as   ${email}`);
  if (password ?? file) {
    print(`  with         ${password ?? `the one-time password in ${file}`}`);
    print('  The password works once and for 72 hours; you choose your own after signing in.');
  }
  for (const warning of warnings) print(`  ADMIN_PASSWORD: ${warning}`);
  print('');
}
