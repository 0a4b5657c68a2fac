import { describe, expect, test } from 'vitest';
import type { Permission } from '@tenure/contract';
import { startApp } from '../testing/app.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';
import { programOf } from '../testing/programs.ts';

/** A token with companies has no access to its owner's record just because it is theirs, and does not count it. */

const service = await startApp();
const { make, as } = service;
const kpi = kpiMaker(service);
const probation = probationMaker(service);
const [home, other] = [await make.entity({ name: 'Home' }), await make.entity({ name: 'Other' })];
const chief = await make.employee({ entity_id: home.id, first_name: 'Ida', last_name: 'Above' });
const person = await probation.person({
  entity_id: home.id,
  reporting_manager_id: chief.id,
  roles: ['HR', 'Employee'],
});
const browser = await as(person.user_id);
const tokenOf = (permissions: Permission[], company: { id: number } | null) =>
  programOf(service, person.user_id, permissions, { entity_ids: company && [company.id] });

type Reader = Pick<Awaited<ReturnType<typeof tokenOf>>, 'get'>;
async function listed(reader: Reader, url: string): Promise<[ids: number[], total: number]> {
  const { status, body } = await reader.get(url);
  expect(status).toBe(200);
  return [(body.data as { id: number }[]).map(({ id }) => id), body.meta.total as number];
}

describe('the own probation review', async () => {
  const reviewer = await make.employee({ entity_id: home.id });
  const decided = await probation.review({ employee: person, reviewer, status: 'reverted', sequence: 1 });
  const open = await probation.review({ employee: person, reviewer, status: 'submitted', sequence: 2 });
  const theirs = await probation.review({
    employee: await probation.person({ entity_id: home.id }),
    reviewer: person,
  });
  const [all, here, there] = [
    await tokenOf(['probation-review.view'], null),
    await tokenOf(['probation-review.view'], home),
    await tokenOf(['probation-review.view'], other),
  ];
  const path = '/api/probation-reviews';

  test('is hidden before it is decided, also from a token of its company', async () => {
    for (const reader of [browser, all, here]) {
      const [ids, total] = await listed(reader, path);
      expect([ids.toSorted((a, b) => a - b), total]).toEqual([[decided.id, theirs.id], 2]);
      for (const query of ['?status=submitted', '?due_before=2099-01-01', `?employee_id=${person.id}&status=submitted`])
        expect((await listed(reader, `${path}${query}`))[0]).not.toContain(open.id);
      for (const of of ['', '/activity', '/pdf'])
        expect((await reader.get(`${path}/${open.id}${of}`)).status).toBe(404);
      expect((await reader.get(`${path}/${decided.id}`)).status).toBe(200);
    }
  });

  test('and those to review are neither shown nor counted for a token of another company', async () => {
    for (const query of ['', '?status=pending', '?status=reverted', `?entity_id=${home.id}`])
      expect([query, await listed(there, `${path}${query}`)]).toEqual([query, [[], 0]]);
    expect((await there.get(`${path}/${decided.id}`)).status).toBe(404);
  });
});

test('evaluations of the person and those to review are not counted for a token of another company', async () => {
  const own = await kpi.evaluation({ employee: person, reviewer: chief, status: 'completed' });
  const report = await make.employee({ entity_id: home.id });
  const theirs = await kpi.evaluation({ employee: report, reviewer: person, status: 'manager_review' });
  const path = '/api/kpi-evaluations';
  const [here, there] = [await tokenOf(['kpi-evaluation.view'], home), await tokenOf(['kpi-evaluation.view'], other)];
  expect((await listed(here, path))[1]).toBe(2);
  for (const query of ['', '?status=completed', '?status=manager_review', `?entity_id=${home.id}`])
    expect([query, await listed(there, `${path}${query}`)]).toEqual([query, [[], 0]]);
  for (const { id } of [own, theirs]) expect((await there.get(`${path}/${id}`)).status).toBe(404);
});

test('planned changes of the person are not counted for a token of another company', async () => {
  const root = await as((await make.admin()).user_id);
  const later = { job_title: 'Buyer', effective_from: '2099-01-01' };
  expect((await root.post(`/api/employees/${person.id}/job-history`, later)).status).toBe(201);
  const there = await tokenOf(['employees.view'], other);
  expect((await listed(browser, '/api/job-changes'))[1]).toBe(1);
  for (const query of ['', `?entity_id=${home.id}`, `?employee_id=${person.id}`])
    expect([query, await listed(there, `/api/job-changes${query}`)]).toEqual([query, [[], 0]]);
});

test('the managers of the person are not in the chart of a token of another company', async () => {
  const names = async (reader: Reader, query: string) => {
    const { status, body } = await reader.get(`/api/org-chart${query}`);
    expect(status).toBe(200);
    return JSON.stringify(body.data);
  };
  const there = await tokenOf(['employees.view'], other);
  for (const query of ['', '?by=department', `?person_id=${chief.id}`])
    expect(await names(there, query)).not.toContain('Above');
  expect(await names(browser, '')).toContain('Above');
});
