import { BadSetting, readConfig } from './config.ts';
import { openLog, startService } from './service.ts';
import type { Service } from './service.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
/** More than requests and jobs are given to end. */
const patience = 25_000;

function announce({ address, firstAdmin }: Service) {
  print(`\n  Tenure is ready at ${address}\n`);
  if (!firstAdmin) return;
  print(`  Sign in as   ${firstAdmin.email}`);
  if (firstAdmin.password)
    print(
      `  with         ${firstAdmin.password}\n  The password works once and for 72 hours; you choose your own after signing in.`,
    );
  for (const warning of firstAdmin.warnings) print(`  ADMIN_PASSWORD: ${warning}`);
  print('');
}

/** The first signal stops in order, a second one at once. */
function stopOnSignals(service: Service) {
  let stopping = false;
  const stop = (code: number) => {
    if (stopping) return void service.database.stop('immediate').finally(() => process.exit(1));
    stopping = true;
    const late = setTimeout(() => void service.database.stop('fast').finally(() => process.exit(code)), patience);
    return void service.stop().then(
      () => {
        clearTimeout(late);
        process.exit(code);
      },
      (error: unknown) => {
        service.deps.log.error({ event: 'stop_failed', err: error }, 'the service did not stop in order');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      service.deps.log.fatal({ event: 'crash', err: error }, event);
      if (!stopping) stop(1);
    });
}

/** Starts the service from the environment and prints where it is. */
async function main() {
  try {
    const config = readConfig();
    const service = await startService(config, openLog(config));
    stopOnSignals(service);
    announce(service);
  } catch (error) {
    process.stderr.write(`${error instanceof BadSetting ? error.message : (error as Error).message}\n`);
    if (!(error instanceof BadSetting) && (error as Error).cause)
      process.stderr.write(`${String((error as Error).cause)}\n`);
    process.exit(1);
  }
}

await main();
