import type { Session } from './browser.ts';
import { load } from './load.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

async function p95(bench: Bench, what: string, session: Session, path: string): Promise<Row> {
  const url = `${bench.base}/api/probation-reviews${path}`;
  const found = await load({ url, headers: session.headers, connections: 1, seconds: bench.seconds });
  return boundRow(`${what}, p95`, found.p95, 'ms', 40);
}

/** Reviews and ending probations for HR and a manager. */
export async function probationRows(bench: Bench): Promise<Row[]> {
  const { admin, manager } = bench;
  return [
    await p95(bench, 'probation reviews, 15 rows with total', admin, ''),
    await p95(bench, 'probation reviews HR decides on', admin, '?status=submitted&sort_by=probation_end_date'),
    await p95(bench, 'probation reviews by name', admin, '?sort_by=employee_name'),
    await p95(bench, 'search of probation reviews', admin, '?search=nakamura'),
    await p95(bench, 'probation reviews of the people of a manager', manager, ''),
    await p95(bench, 'probation ends', admin, '/upcoming'),
    await p95(bench, 'probation ends, with a problem', admin, '/upcoming?problem=overdue,no_review'),
    await p95(bench, 'probation ends, by name', admin, '/upcoming?sort_by=employee_name'),
    await p95(bench, 'probation ends of the people of a manager', manager, '/upcoming'),
  ];
}
