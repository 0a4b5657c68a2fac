import type { Effect, Ledger } from '../../server/src/resilience/ledger.ts';
import type { Remote } from '../../server/src/testing/remote.ts';

/** People whose manager is changed in one request. */
export type Crew = { ids: number[]; boss: number; revisions: Map<number, number> };

const size = 100;

/** Hires the people of a crew through the API, recorded in the ledger. */
export async function makeCrew(client: Remote, ledger: Ledger, prefix: string): Promise<Crew> {
  async function create(table: Effect['table'], name: string, fields: Effect['fields']) {
    const request_id = `${prefix}-${table}-${name}`;
    const n = ledger.sent({ request_id, effect: { table, name, verb: 'create', fields } });
    const { status, body } = await client.send('POST', `/api/${table}`, {
      body: fields,
      headers: { 'x-request-id': request_id },
    });
    ledger.answered({ n, status });
    if (status !== 201) throw new Error(`${request_id} got ${status}: ${JSON.stringify(body)}`);
    return (body as { data: { id: number; revision: number } }).data;
  }
  const company = await create('entities', prefix, { name: prefix });
  const department = await create('departments', prefix, { name: prefix, code: prefix, entity_id: company.id });
  const people = [];
  for (let serial = 0; serial <= size; serial += 1) {
    const name = `${prefix}-${serial}`;
    const person = {
      employee_number: name,
      email: `${name.toLowerCase()}@acme.example`,
      first_name: 'Ada',
      last_name: name,
    };
    people.push(await create('employees', name, { ...person, entity_id: company.id, department_id: department.id }));
  }
  const [boss, ...crew] = people;
  return {
    ids: crew.map(({ id }) => id),
    boss: boss?.id ?? 0,
    revisions: new Map(crew.map(({ id, revision }) => [id, revision])),
  };
}
