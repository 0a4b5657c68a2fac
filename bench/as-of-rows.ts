import { load } from './load.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

const yearsAgo = (years: number) => Temporal.Now.plainDateISO('UTC').subtract({ years }).toString();

/** The directory, head count and chart as of a day. */
export async function asOfRows(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const read = async (what: string, path: string, atMost: number, { headers } = bench.admin) => {
    const found = await load({ url: `${bench.base}/api${path}`, headers, connections: 1, seconds: bench.seconds });
    rows.push(boundRow(`${what}, p95`, found.p95, 'ms', atMost));
  };
  const day = yearsAgo(3);
  const list = `/employees?as_of=${day}`;
  await read('directory as of a day', list, 60);
  await read('directory as of a year ago', `/employees?as_of=${yearsAgo(1)}`, 60);
  await read('directory as of a day, of one company', `${list}&entity_id=${bench.ids.entity}`, 60);
  await read('directory as of a day, of one department', `${list}&department_id=${bench.ids.department}`, 60);
  await read('directory as of a day, by job title', `${list}&sort_by=job_title`, 60);
  await read('directory as of a day, by department', `${list}&sort_by=department_name`, 60);
  await read('directory as of a day, search for a name', `${list}&search=nakamura`, 60);
  await read('directory as of a day, search for a job title', `${list}&search=engineer`, 200);
  await read('directory as of a day as its manager sees it', list, 60, bench.manager);
  await read('head count as of a day', `/employees/head-count?as_of=${day}`, 100);
  await read('organisation chart as of a day', `/org-chart?as_of=${day}`, 1_000);
  return rows;
}
