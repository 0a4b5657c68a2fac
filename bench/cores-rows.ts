import { signIn } from './browser.ts';
import { stopProcess } from './load.ts';
import { asked, inTurn, warmUp } from './rates.ts';
import type { Side } from './rates.ts';
import type { Bench, Rate } from './bench.ts';
import { rateRow } from './table.ts';
import type { Row } from './table.ts';

const port = 8_463;
const paths = [
  ['people, 15 rows with total', '/employees'],
  ['/api/me', '/me'],
] as const;

/**
 * Two web processes, in turn with the single one that the other rows measure, on the same database. Client, service and
 * PostgreSQL share the processors, so two processes on two of them are far from twice as fast.
 */
export async function coresRows(bench: Bench): Promise<Row[]> {
  const base = `http://localhost:${port}`;
  const service = await bench.startService({ PORT: String(port), APP_URL: base, WEB_CONCURRENCY: '2' });
  try {
    const { headers } = await signIn(base, 'bench@example.com', bench.password);
    const side = (path: string): Side => ({ url: `${base}/api${path}`, headers, pid: service.pid ?? 0 });
    const rows: Row[] = [];
    for (const [what, path] of paths) {
      await warmUp(side(path));
      const sides = [{ ...side(path), hasChildren: true }, asked(bench, path)];
      const [two, one] = (await inTurn(bench, sides)) as [Rate, Rate];
      rows.push(rateRow(`two web processes: ${what}`, two, one, 1.15));
    }
    return rows;
  } finally {
    await stopProcess(service);
  }
}
