import { load } from './load.ts';
import type { Session } from './browser.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** All figures for all companies, for one company and for a team; the report over two years; and the chart. */
export async function dashboardRows(bench: Bench): Promise<Row[]> {
  const p95 = async (what: string, session: Session, path: string, atMost: number) => {
    const url = `${bench.base}/api${path}`;
    const found = await load({ url, headers: session.headers, connections: 1, seconds: bench.seconds });
    return boundRow(`${what}, p95`, found.p95, 'ms', atMost);
  };
  return [
    await p95('dashboard of all people', bench.admin, '/dashboard', bench.bySize(60, 100)),
    await p95('dashboard of one company', bench.admin, `/dashboard?entity_id=${bench.ids.entity}`, 60),
    await p95('dashboard of a manager', bench.manager, '/dashboard', 40),
    await p95('movement of 24 months', bench.admin, '/reports/movement', 250),
    await p95('organisation chart, first answer', bench.admin, '/org-chart', 30),
  ];
}
