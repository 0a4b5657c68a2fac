import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { BadSetting } from '../config.ts';
import type { Config } from '../config.ts';

type Hosts = Pick<Config, 'HOST' | 'ROLE' | 'METRICS_HOST' | 'METRICS_PORT'>;

const timeoutMilliseconds = 10_000;

/** Whether this machine resolves the name; no answer from the name server counts as no. */
const isKnown = (name: string) =>
  Promise.race([
    lookup(name).then(
      () => true,
      () => false,
    ),
    sleep(timeoutMilliseconds, false, { ref: false }),
  ]);

/**
 * Refuses names that no process could listen on, before the database is started.
 * @throws {BadSetting}
 */
export async function refuseUnknownHosts({ HOST, ROLE, METRICS_HOST, METRICS_PORT }: Hosts): Promise<void> {
  const used: [setting: string, name: string][] = [];
  if (ROLE !== 'worker') used.push(['HOST', HOST]);
  if (METRICS_PORT > 0) used.push(['METRICS_HOST', METRICS_HOST]);
  for (const [setting, name] of used)
    if (!(await isKnown(name)))
      throw new BadSetting(
        `${setting}: ${name} cannot be resolved: give an address such as 127.0.0.1, or correct the name`,
      );
}
