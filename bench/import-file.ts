import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { countWork } from './cpu.ts';

type Import = { id: number; status: string; counts: { failed: number; total: number } };
type File = { path: string; name: string; content: string | Uint8Array<ArrayBuffer> };
type Checked = { page: string; seconds: number; cpu: string; peak: number };

async function call(bench: Bench, path: string, init: RequestInit = {}): Promise<Import> {
  const response = await fetch(`${bench.base}/api${path}`, {
    ...init,
    headers: { ...bench.admin.headers, ...(init.headers as Record<string, string>) },
  });
  const body = (await response.json()) as { data: Import };
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
  return body.data;
}

async function until(bench: Bench, path: string, status: string): Promise<{ found: Import; peak: number }> {
  let peak = 0;
  for (;;) {
    const found = await call(bench, path);
    peak = Math.max(peak, bench.memory());
    if (found.status === status) return { found, peak };
    if (found.status !== 'processing') throw new Error(`import is ${found.status}: ${JSON.stringify(found)}`);
    await wait(100);
  }
}

/** Seconds of a file's dry run, its processor time, and the service's peak memory meanwhile in MB. */
async function timedCheck(bench: Bench, { path, name, content }: File): Promise<Checked> {
  const form = new FormData();
  form.set('dry_run', '1');
  form.set('mode', 'partial');
  form.set('file', new Blob([content]), name);
  const [start, checking] = [performance.now(), countWork(bench)];
  const { id } = await call(bench, `${path}/import`, { method: 'POST', body: form });
  const page = `${path}/imports/${id}`;
  const checked = await until(bench, page, 'preview');
  const [seconds, cpu] = [(performance.now() - start) / 1_000, checking()];
  if (checked.found.counts.failed > 0)
    throw new Error(`dry run: ${JSON.stringify(await call(bench, `${page}/rows?status=failed&per_page=1`))}`);
  return { page, seconds, cpu, peak: checked.peak };
}

/** The dry run of a file, which is then discarded. */
export async function timedDryRun(bench: Bench, file: File): Promise<Checked> {
  const checked = await timedCheck(bench, file);
  await fetch(`${bench.base}/api${checked.page}`, { method: 'DELETE', headers: bench.admin.headers });
  return checked;
}

/** Dry run and commit of a file: seconds and processor time of each, and the service's peak memory in MB. */
export async function timedImport(bench: Bench, file: File) {
  const { page, ...dryRun } = await timedCheck(bench, file);
  const [again, writing] = [performance.now(), countWork(bench)];
  const json = { 'content-type': 'application/json' };
  await call(bench, `${page}/commit`, { method: 'POST', body: '{}', headers: json });
  const written = await until(bench, page, 'completed');
  const commit = { seconds: (performance.now() - again) / 1_000, cpu: writing() };
  return { dryRun, commit, peak: Math.max(dryRun.peak, written.peak) };
}
