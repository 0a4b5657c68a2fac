import { signIn } from './browser.ts';
import type { Session } from './browser.ts';
import { load } from './load.ts';
import { asked, inTurn, minimal } from './rates.ts';
import type { Bench, Rate } from './bench.ts';
import { boundRow, multipleRow, rateRow } from './table.ts';
import type { Row } from './table.ts';

const path = '/kpi-evaluations';
const orders = ['employee_name', 'department_name', 'status', 'due_on', 'overall_percentage', 'created_at'];
const writes = 100;

/** HR's lists: the plain one in turn with the baseline list of people, each other one in turn with the plain one. */
async function listRows(bench: Bench): Promise<Row[]> {
  const plainly = asked(bench, path);
  const [plain, least] = (await inTurn(bench, [plainly, minimal(bench, '/employees')])) as [Rate, Rate];
  const rows = [rateRow('evaluations, 15 rows with total', plain, least, 0.6)];
  for (const [what, query] of [
    ['evaluations HR has to look at', '?status=hr_review'],
    ['evaluations of one company', `?entity_id=${bench.ids.entity}`],
    ...orders.map((order) => [`evaluations by ${order}`, `?sort_by=${order}&sort_direction=desc`]),
  ] as const) {
    const [found, first] = (await inTurn(bench, [asked(bench, `${path}${query}`), plainly])) as [Rate, Rate];
    rows.push(rateRow(what, found, first, 0.8));
  }
  const page = (number: number) => load({ ...plainly, url: `${plainly.url}?page=${number}`, seconds: bench.seconds });
  const last = Math.max(1, Math.floor((bench.employees / 15) * 0.75));
  const [first, deep] = [await page(1), await page(last)];
  return [...rows, multipleRow(`evaluations, page ${last}`, { measured: deep.p50, baseline: first.p50 }, 'ms', 3)];
}

async function p95(bench: Bench, what: string, session: Session, query: string, atMost: number): Promise<Row> {
  const url = `${bench.base}/api${path}${query}`;
  const found = await load({ url, headers: session.headers, connections: 1, seconds: bench.seconds });
  return boundRow(`${what}, p95`, found.p95, 'ms', atMost);
}

type Open = { id: number; items: { id: number }[]; allowed_actions: string[] };

async function get<T>(bench: Bench, session: Session, query: string): Promise<T> {
  const response = await fetch(`${bench.base}/api${path}${query}`, { headers: session.headers });
  return ((await response.json()) as { data: T }).data;
}

/** A signed-in person with an open self-assessment. */
async function openSelfAssessment(bench: Bench): Promise<{ session: Session; evaluation: Open }> {
  for (const email of bench.people) {
    const session = await signIn(bench.base, email, bench.password);
    const [mine] = await get<Open[]>(bench, session, '?mine=1&status=self_assessment');
    if (mine) return { session, evaluation: await get<Open>(bench, session, `/${mine.id}`) };
  }
  throw new Error('there is no self-assessment to write');
}

/** A draft that is saved repeatedly, each time with another score. */
async function autosave(bench: Bench, session: Session, { id, items }: Open): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < writes; n += 1) {
    const started = performance.now();
    const response = await fetch(`${bench.base}/api${path}/${id}`, {
      method: 'PUT',
      headers: { ...session.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ items: [{ id: items[0]?.id, self_score: 1 + (n % 5) }] }),
    });
    await response.text();
    if (!response.ok) throw new Error(`saving a draft: ${response.status}`);
    times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(writes * 0.95)] ?? 0;
}

/** Lists of evaluations for HR, a reviewer and an employee, and the draft of a self-assessment. */
export async function evaluationRows(bench: Bench): Promise<Row[]> {
  const { session, evaluation } = await openSelfAssessment(bench);
  return [
    ...(await listRows(bench)),
    await p95(bench, 'evaluations of the people of a manager', bench.manager, '', 40),
    await p95(bench, 'evaluations to review', bench.manager, '?to_review=1', 40),
    await p95(bench, 'own evaluations', session, '?mine=1', 40),
    await p95(bench, 'search of evaluations', bench.admin, '?search=nakamura', 40),
    await p95(bench, 'filters of evaluations', bench.admin, '/filter-options', 100),
    boundRow('draft of a self-assessment saved, p95', await autosave(bench, session, evaluation), 'ms', 30),
  ];
}
