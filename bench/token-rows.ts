import type { Bench, Rate, Turn } from './bench.ts';
import { asked, inTurn } from './rates.ts';
import { multipleRow, ratioOf } from './table.ts';
import type { Row } from './table.ts';

/** A token with everything that a list of people requires, created by the administrator. */
async function makeToken({ base, admin }: Bench): Promise<string> {
  const response = await fetch(`${base}/api/profile/tokens`, {
    method: 'POST',
    headers: { ...admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', permissions: ['employees.view', 'employees.view_all'], days: 1 }),
  });
  if (!response.ok) throw new Error(`a token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

/** The same requests with a token and with a session: the cost of a request in Node and PostgreSQL together. */
export async function tokenRows(bench: Bench): Promise<Row[]> {
  const authorization = `Bearer ${await makeToken(bench)}`;
  const rows: Row[] = [];
  for (const path of ['/me', '/employees']) {
    const session = asked(bench, path);
    const token = { ...session, headers: { authorization, accept: 'application/json' } };
    const [program, person] = (await inTurn(bench, [token, session])) as [Rate, Rate];
    const cost = ({ node, postgres }: Turn) => node + postgres;
    const costs = { measured: cost(program), baseline: cost(person), ratio: ratioOf(program, person, cost) };
    rows.push(multipleRow(`/api${path} with a token : with a session`, costs, 'µs', 1.05));
  }
  return rows;
}
