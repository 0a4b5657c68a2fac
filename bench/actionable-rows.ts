import { signIn } from './browser.ts';
import type { Session } from './browser.ts';
import { load } from './load.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** Tasks of the HR pool (of the administrator if there is no HR), of a reviewer and of an employee. */
export async function actionableRows(bench: Bench): Promise<Row[]> {
  const employee = await signIn(bench.base, bench.people[0] ?? '', bench.password);
  const p95 = async (what: string, session: Session, path = '') => {
    const url = `${bench.base}/api/actionable-items${path}`;
    const found = await load({ url, headers: session.headers, connections: 1, seconds: bench.seconds });
    return boundRow(`${what}, p95`, found.p95, 'ms', bench.bySize(15, 25));
  };
  return [
    await p95('tasks of HR', bench.admin),
    await p95('tasks of HR, counted', bench.admin, '/counts'),
    await p95('tasks of a reviewer', bench.manager),
    await p95('tasks of an employee', employee),
  ];
}
