import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

/** The planner expects far more superiors than a person has, and would read all people to find the next one. */

const { make, owner } = await startApp();
const head = await make.employee();
const lead = await make.employee({ reporting_manager_id: head.id });
const department = await make.department({ manager_id: head.id, team_lead_id: lead.id });
await owner.query(
  `insert into employees (employee_number, first_name, last_name, employment_lifecycle, entity_id, department_id,
                          reporting_manager_id)
   select 'M-' || n, 'Many', 'Name' || n, 'confirmed', $1, $2, $3 from generate_series(1, 10000) n`,
  [department.entity_id, department.id, lead.id],
);
await owner.query('vacuum analyze employees, departments');

type Node = { 'Relation Name'?: string; 'Node Type': string; 'Actual Rows': number; Plans?: Node[] };
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

test.each(['force_custom_plan', 'force_generic_plan'])(
  'a few people are read for those above one: %s',
  async (mode) => {
    await owner.query(`set plan_cache_mode = ${mode}`);
    await owner.query(`prepare above_${mode}(bigint) as select s from superiors_of($1) as s`);
    const { rows } = await owner.query<{ id: number }>(
      `select id::int from employees where reporting_manager_id = ${lead.id} limit 1`,
    );
    const person = rows[0]?.id ?? 0;
    const found = await owner.query<{ s: string }>(`execute above_${mode}(${person})`);
    expect(found.rows.map(({ s }) => Number(s)).sort((a, b) => a - b)).toEqual(
      [head.id, lead.id].sort((a, b) => a - b),
    );
    const explained = await owner.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `explain (analyze, format json) execute above_${mode}(${person})`,
    );
    const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan as Node;
    const people = nodesOf(plan).filter((node) => node['Relation Name'] === 'employees');
    expect(people.length).toBeGreaterThan(1);
    expect(Math.max(...people.map((node) => node['Actual Rows']))).toBeLessThan(5);
  },
);
