import { expect } from 'vitest';
import type { TestApp } from './app.ts';

type Row = Record<string, unknown>;

/** What tests of probation review steps read from the tables. */
export function reviewTesting({ owner }: Pick<TestApp, 'owner'>) {
  const rowsOf = async <T extends object>(text: string, id: number) => (await owner.query<T>(text, [id])).rows;
  const rowOf = async (id: number) =>
    (await rowsOf<Row>('select *, revision::int, round::int from probation_reviews where id = $1', id))[0] as Row;
  const personOf = async (id: number) =>
    (
      await rowsOf<Row>(
        `select employment_lifecycle, activity_status, probation_end_date::text, confirmation_date::text,
                notice_date::text, last_working_date::text, separation_reason, extension_count::int
         from employees where id = $1`,
        id,
      )
    )[0] as Row;
  const linesOf = async <T>(text: string, id: number): Promise<T[]> =>
    (await rowsOf<{ line: T }>(text, id)).map(({ line }) => line);

  /** Action, from, to, reason, round, actor. */
  type TrailRow = [string, string | null, string, string | null, number, number | null];
  const historyOf = (id: number) =>
    linesOf<TrailRow>(
      `select json_build_array(action, from_status, to_status, reason, round, actor_id) as line
       from probation_review_activity where review_id = $1 order by id`,
      id,
    );
  /** Event, variant, user. */
  const notificationsOf = (id: number) =>
    linesOf<[string, string, number]>(
      `select json_build_array(event, variant, user_id) as line from notifications
       where subject_type = 'probation_review' and subject_id = $1 order by id`,
      id,
    );
  /** Role, round, whether it counts. */
  const signaturesOf = (id: number) =>
    linesOf<[string, number, boolean]>(
      `select json_build_array(role, round, valid) as line from probation_signatures where review_id = $1 order by id`,
      id,
    );
  const auditOf = (type: string, id: number) =>
    linesOf<string>(
      `select to_json(action) as line from audit_log where subject_type = '${type}' and subject_id = $1 order by id`,
      id,
    );
  const jobHistoryOf = (employeeId: number) =>
    linesOf<[string, string, string]>(
      `select json_build_array(status, effective_from, employment_lifecycle) as line from job_history
       where employee_id = $1 order by id`,
      employeeId,
    );

  /** Everything that a refused step must not change, as one text. */
  const fingerprint = async (id: number): Promise<string> =>
    (
      await linesOf<string>(
        `select to_json(concat_ws(' ', md5(v::text), md5(p::text),
                (select md5(string_agg(s::text, '' order by s.id)) from probation_signatures s where s.review_id = v.id),
                (select count(*) from probation_reviews), (select count(*) from probation_signatures), (select count(*) from probation_sheets),
                (select count(*) from probation_review_activity), (select count(*) from audit_log),
                (select count(*) from notifications), (select count(*) from notification_deliveries),
                (select count(*) from job_history))) as line
         from probation_reviews v join employees p on p.id = v.employee_id where v.id = $1`,
        id,
      )
    )[0] as string;

  /** Runs a step that must be refused, and checks that it changed nothing. */
  async function unchanged(id: number, work: () => Promise<void>) {
    const before = await fingerprint(id);
    await work();
    expect(await fingerprint(id)).toBe(before);
  }

  return { rowOf, personOf, historyOf, notificationsOf, signaturesOf, auditOf, jobHistoryOf, fingerprint, unchanged };
}
