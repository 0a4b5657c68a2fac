import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { waitingLocks } from '../../testing/waiting-locks.ts';

/** A department or company is closed while people are written into it. */

const { as, make, owner } = await startApp();

test.each([
  ['partial', 'departments', ['completed', 1], ['Moss']],
  ['partial', 'entities', ['completed', 2], []],
  // a single row that is no longer possible fails the import
  ['atomic', 'departments', ['failed', 0], []],
  ['atomic', 'entities', ['failed', 0], []],
] as const)(
  'a %s import writes no one into one of the %s that is closed meanwhile',
  async (mode, table, outcome, written) => {
    const entity = await make.entity();
    const [closing, other] = [
      await make.department({ entity_id: entity.id }),
      await make.department({ entity_id: entity.id }),
    ];
    const hr = await as(
      (await make.employee({ department_id: other.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] })).user_id,
    );
    const content = [
      'first_name,last_name,email,entity,department',
      `Ann,Lee,ann@${mode}-${table}.example,${entity.name},${closing.name}`,
      `Bea,Moss,bea@${mode}-${table}.example,${entity.name},${other.name}`,
    ].join('\n');
    const checked = await hr.upload('/api/employees/import', { name: 'people.csv', content }, { mode, dry_run: '1' });
    expect(checked.body.data).toMatchObject({ status: 'preview', counts: { created: 2, failed: 0 } });
    const closer = await owner.connect();
    try {
      await closer.query('begin');
      await closer.query(`update ${table} set status = 'inactive' where id = $1`, [
        table === 'entities' ? entity.id : closing.id,
      ]);
      const commit = hr.post(`/api/employees/imports/${checked.body.data.id}/commit`);
      await expect.poll(() => waitingLocks(owner), { interval: 10 }).not.toEqual([]);
      await closer.query('commit');
      const answer = await commit;
      const { rows } = await owner.query<{ last_name: string }>(
        'select last_name from employees where email like $1 order by 1',
        [`%@${mode}-${table}.example`],
      );
      expect([answer.status, answer.body.data.status, answer.body.data.counts.failed]).toEqual([200, ...outcome]);
      expect(rows.map(({ last_name }) => last_name)).toEqual(written);
    } finally {
      closer.release();
    }
  },
);
