import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openLedger } from '../../server/src/resilience/ledger.ts';
import { signIn } from '../../server/src/testing/remote.ts';
import { differences } from './checks.ts';
import { makeCrew } from './crew.ts';
import { startLoad } from './load.ts';
import { loseFrom, loseNothing } from './network.ts';
import { account, ports, startSite } from './site.ts';

/** The control: the same checks detect what an asynchronous standby loses. */

const site = await startSite({ isSynchronous: false });
const ledger = openLedger(join(site.scratch, 'ledger.jsonl'));
afterAll(async () => {
  ledger.close();
  await site.stop();
});

test('without synchronous standbys acknowledged writes are lost with the primary', async () => {
  const client = await signIn(`http://localhost:${ports[0]}`, account);
  const load = startLoad({ cookies: client.cookies, ledger }, [await makeCrew(client, ledger, 'C1')]);
  await sleep(5_000);
  const { primary } = await site.settled();
  loseFrom(primary, 'nodes');
  await sleep(1_500);
  site.nodes[primary].signal('SIGKILL');
  await sleep(40_000);
  loseNothing(primary);
  site.nodes[primary].startEtcd();
  site.nodes[primary].startPatroni();
  const { primary: next } = await site.settled();
  expect(next).not.toBe(primary);
  await load.end();
  const found = await differences(load, ledger.path);
  const lost = found.filter((line) => line.startsWith('acknowledged and lost'));
  console.log(`Asynchronous: ${lost.length} of ${load.counts.requests} acknowledged requests were lost`);
  expect(lost.length).toBeGreaterThan(0);
});
