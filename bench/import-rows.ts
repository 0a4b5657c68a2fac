import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { writeImportFile } from './rows.ts';
import type { Bench } from './rows.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

type Import = { id: number; status: string; counts: { failed: number; created: number }; plan_hash: string | null };

async function call(bench: Bench, path: string, init: RequestInit = {}): Promise<Import> {
  const response = await fetch(`${bench.base}/api${path}`, {
    ...init,
    headers: { ...bench.admin.headers, ...(init.headers as Record<string, string>) },
  });
  const body = (await response.json()) as { data: Import };
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
  return body.data;
}

async function until(bench: Bench, id: number, status: string): Promise<{ found: Import; peak: number }> {
  let peak = 0;
  for (;;) {
    const found = await call(bench, `/employees/imports/${id}`);
    peak = Math.max(peak, bench.memory());
    if (found.status === status) return { found, peak };
    if (found.status !== 'processing') throw new Error(`import is ${found.status}: ${JSON.stringify(found)}`);
    await wait(100);
  }
}

/** Dry run and commit of a large file, with the largest memory of the process meanwhile. */
export async function importRows(bench: Bench): Promise<Row[]> {
  const form = new FormData();
  form.set('dry_run', '1');
  form.set('mode', 'partial');
  form.set('file', new Blob([await readFile(writeImportFile(bench))]), 'import.csv');
  const start = performance.now();
  const uploaded = await call(bench, '/employees/import', { method: 'POST', body: form });
  const checked = await until(bench, uploaded.id, 'preview');
  const dryRun = (performance.now() - start) / 1_000;
  if (checked.found.counts.failed > 0) throw new Error(`dry run: ${JSON.stringify(checked.found.counts)}`);
  const again = performance.now();
  await call(bench, `/employees/imports/${uploaded.id}/commit`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  const written = await until(bench, uploaded.id, 'completed');
  const commit = (performance.now() - again) / 1_000;
  return [
    boundRow(`import of ${bench.employees} people, dry run`, dryRun, 's', 15),
    boundRow(`import of ${bench.employees} people, commit`, commit, 's', 25),
    boundRow('memory of the service while importing', Math.max(checked.peak, written.peak), 'MB', 400),
  ];
}
