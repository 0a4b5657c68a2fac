import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { pidsOf, startProcess } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

/** The supervisor starts, watches and counts; only its processes load the code that serves requests. */

const most = 60;
const scratch = await mkdtemp(join(tmpdir(), 'tenure-own-memory-'));
const installation = {
  dataDir: join(scratch, 'data'),
  port: await freePort(),
  settings: { WEB_CONCURRENCY: '2', METRICS_PORT: String(await freePort()) },
};
let service: ServiceProcess;
afterAll(async () => {
  await service.kill();
  await rm(scratch, { recursive: true, force: true });
});

/** The memory of a process in MB: its own pages, and its share of common ones. */
async function held(pid: number | undefined) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1]) / 1_024;
  return { share: megabytes('Pss'), own: megabytes('Pss_Anon'), resident: megabytes('Rss') };
}
const shown = (name: string, { share, own, resident }: Awaited<ReturnType<typeof held>>) =>
  `${name}: ${share.toFixed(0)} MB, ${own.toFixed(0)} of them alone, ${resident.toFixed(0)} MB resident`;

test.runIf(process.platform === 'linux')(
  'the supervisor of two web processes takes at most 60 MB, also after scrapes and a reload',
  async ({ annotate }) => {
    // the first start after an installation compiles what later ones read
    service = await startProcess(installation);
    expect(await service.stop()).toBe(0);
    service = await startProcess(installation);
    const supervisor = service.child.pid;
    const begun = await held(supervisor);
    for (let scrapes = 0; scrapes < 30; scrapes += 1) {
      const answer = await fetch(`http://127.0.0.1:${installation.settings.METRICS_PORT}/metrics`);
      expect(await answer.text()).toContain('process_resident_memory_bytes{process="supervisor"}');
    }
    service.child.kill('SIGUSR2');
    // on a busy machine, the new processes may not be ready in time, which does not matter here
    const reloaded = () => [...service.events('reload_done'), ...service.events('reload_failed')];
    await expect.poll(reloaded, { timeout: 240_000 }).toHaveLength(1);
    const later = await held(supervisor);
    const lines = [shown('supervisor', begun), shown('after 30 scrapes and a reload', later)];
    for (const [name, pid] of Object.entries(pidsOf(service))) lines.push(shown(name, await held(pid)));
    await annotate(lines.join('\n'));
    expect(begun.share).toBeLessThan(most);
    expect(later.share).toBeLessThan(most);
  },
  600_000,
);
