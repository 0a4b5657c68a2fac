import pg from 'pg';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { Refusal } from './backup/refusal.ts';
import { BadSetting } from './config.ts';
import type { Config } from './config.ts';

/** An error in the log: only these parts, because other properties may contain a row or a parameter. */
type LoggedError = {
  type: string;
  message: string;
  stack: string;
  code?: string | undefined;
  table?: string | undefined;
  column?: string | undefined;
  constraint?: string | undefined;
  cause?: LoggedError;
};

const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');

/** Database messages quote names and values alike; the names are logged separately. */
const withoutValues = (message: string) => message.replaceAll(/".*"/gs, '"…"');

function loggedError(error: unknown): LoggedError | string {
  if (!(error instanceof Error)) return String(error);
  const { code, cause } = error as NodeJS.ErrnoException;
  const known = { type: error.name, message: error.message, stack: framesOf(error), ...(code && { code }) };
  if (error instanceof pg.DatabaseError) {
    const { table, column, constraint } = error;
    return { ...known, message: withoutValues(error.message), table, column, constraint };
  }
  return cause instanceof Error ? { ...known, cause: loggedError(cause) as LoggedError } : known;
}

/** Bytes of lines to buffer while standard output accepts none; further lines are lost. */
const maxWaiting = 4 * 1_024 * 1_024;

/** A full disk behind standard output costs log lines, but not the service. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: maxWaiting });
  let takesNothing = false;
  // the next line tries again
  output.on('error', () => (takesNothing = true));
  output.on('write', () => (takesNothing = false));
  const flush = output.flushSync.bind(output);
  // called before a fatal line and at exit: it would retry forever and block everything else
  output.flushSync = () => takesNothing || flush();
  return output;
}

/** The log: one JSON object per line, without anything that users typed. */
export const logTo = (level: string, destination?: DestinationStream): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: loggedError } },
    destination ?? standardOutput(),
  );

export const openLog = ({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>): Logger => logTo(LOG_LEVEL);

/** Why a start failed, in lines for the person who started the service. */
export function reasonsOf(error: Error): string[] {
  const cause =
    error.cause instanceof Error && !(error instanceof BadSetting || error instanceof Refusal)
      ? [error.cause.message]
      : [];
  // an error of a host name with several addresses has no message
  return [error.message || ((error as NodeJS.ErrnoException).code ?? error.name), ...cause];
}

/** Logs the reason for operators and prints it for the person who started the service. */
export function refuseStart(error: Error): never {
  const reasons = reasonsOf(error);
  logTo('info').fatal({ event: 'start_refused', reason: reasons[0] }, 'the service did not start');
  for (const line of reasons) process.stderr.write(`${line}\n`);
  process.exit(1);
}
