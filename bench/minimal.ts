import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import pg from 'pg';

/**
 * The baseline: the least code that does the work of a request. It uses node:http and pg, looks up a session by its
 * hash, and applies an administrator's scope, the exact total and the fields that the service sends. It validates no
 * input and writes no log.
 */

const types = new pg.TypeOverrides();
for (const oid of [1082, 1114, 1184]) types.setTypeParser(oid, (value: string) => value);
types.setTypeParser(20, Number);

const [port, url, token] = process.argv.slice(2) as [string, string, string];
const pool = new pg.Pool({ types, connectionString: url, max: 10 });

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

type Reader = {
  id: number;
  email: string;
  name: string;
  locale: string;
  last_login_at: string;
  is_admin: boolean;
  proved_at: string;
};

const sessionQuery = {
  name: 'session',
  text: `select u.id, u.email, coalesce(e.name, u.email) as name, e.id as employee_id, u.locale, u.locale_chosen,
                u.must_change_password, u.last_login_at, u.is_admin,
                coalesce(s.proved_at, s.created_at) as proved_at
         from session_register s join users u on u.id = s.user_id cross join installation i
         left join employees e on e.user_id = u.id
         where s.sid_hash = $1 and s.revoked_at is null and now() < s.expires_at
           and s.epoch = u.session_epoch and s.global_epoch = i.global_epoch and u.is_enabled
           and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`,
};

const peopleQuery = {
  name: 'people',
  text: `with page as (
           select e.id, row_number() over () as place from employees e
           where e.deleted_at is null and $1 order by e.last_name_sort, e.first_name_sort, e.id limit 15)
         select (select sum(people) from employee_counts where level = 'all') as total, e.*, n.name as entity_name,
                d.name as department_name, m.employee_number as manager_number, m.name as manager_name, u.roles,
                u.last_login_at, u.password_hash is not null as has_password, u.must_change_password,
                (select json_build_object('first_day', a.first_day, 'last_day', a.last_day) from absences a
                 where a.employee_id = e.id and current_date between a.first_day and coalesce(a.last_day, 'infinity'))
                  as absence
         from page join employees e on e.id = page.id join entities n on n.id = e.entity_id
         join departments d on d.id = e.department_id left join users u on u.id = e.user_id
         left join employees m on m.id = e.reporting_manager_id order by page.place`,
};

type PersonRow = Record<string, unknown> & { id: number; total: string; created_at: string; updated_at: string };

const personOf = (row: PersonRow) => ({
  id: row.id,
  employee_number: row.employee_number,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  salutation: row.salutation,
  middle_name: row.middle_name,
  display_name: row.name,
  entity_id: row.entity_id,
  entity: { id: row.entity_id, name: row.entity_name },
  department_id: row.department_id,
  department: { id: row.department_id, name: row.department_name },
  job_title: row.job_title,
  reporting_manager_id: row.reporting_manager_id,
  reporting_manager: row.reporting_manager_id
    ? { id: row.reporting_manager_id, employee_number: row.manager_number, name: row.manager_name }
    : null,
  profile_picture_url: row.picture_key ? `/api/employees/${row.id}/profile-picture` : null,
  activity_status: row.activity_status,
  revision: row.revision,
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
  allowed_actions: [
    'update',
    ...(row.employment_lifecycle === 'probationary' ? ['confirm', 'extend-probation'] : []),
    ...(row.activity_status === 'active' ? ['deactivate', 'separate'] : ['activate']),
    'job-history',
    'absences',
    'past-jobs',
    'add-file',
    'roles',
    'reset-password',
  ],
  employment_lifecycle: row.employment_lifecycle,
  grade: row.grade,
  employment_type: row.employment_type,
  phone: row.phone,
  joining_date: row.joining_date,
  early_access: row.early_access,
  probation_start_date: row.probation_start_date,
  probation_end_date: row.probation_end_date,
  confirmation_date: row.confirmation_date,
  extension_count: row.extension_count,
  probation_paused_from: row.probation_paused_from,
  notice_date: row.notice_date,
  last_working_date: row.last_working_date,
  roles: row.roles,
  user: row.user_id && {
    id: row.user_id,
    last_login_at: row.last_login_at,
    has_password: row.has_password,
    must_change_password: row.must_change_password,
    invitation: null,
  },
  absence: row.absence,
  deleted_at: row.deleted_at,
});

async function people({ is_admin }: Reader): Promise<object> {
  const { rows } = await pool.query<PersonRow>({ ...peopleQuery, values: [is_admin] });
  const total = Number(rows[0]?.total ?? 0);
  const last = Math.ceil(total / 15);
  const page = (number: number) => `http://127.0.0.1:${port}/api/employees?page=${number}`;
  return {
    data: rows.map(personOf),
    links: { first: page(1), last: page(last), prev: null, next: page(2) },
    meta: { current_page: 1, from: 1, last_page: last, per_page: 15, to: rows.length, total },
  };
}

/** Read once, because the service also caches rights until they change. */
const rights = await pool.query<{ permission: string }>(
  `select distinct p.permission from role_permissions p join roles r on r.id = p.role_id where r.name = 'Admin' order by 1`,
);
const permissions = rights.rows.map(({ permission }) => permission);
const assignment = { role_id: 1, role: 'Admin', scope: 'all', managed_depth: 'direct', entity_ids: null };

const stepUpSeconds = 900;

function me({ is_admin: _, proved_at, ...user }: Reader): object {
  const shown = { ...user, last_login_at: new Date(user.last_login_at), profile_picture_url: null };
  const data = { user: { ...shown, role_assignments: [assignment] }, roles: ['Admin'], permissions };
  const step_up_until = new Date(Math.max(Date.parse(proved_at) + stepUpSeconds * 1_000, Date.now()));
  const factor = { state: 'ok', from: null };
  return { data: { ...data, directory: true, step_up_until, second_factor: factor, viewing: null } };
}

const answers: Record<string, (reader: Reader) => Promise<object> | object> = {
  '/api/employees': people,
  '/api/me': me,
};

/** One round trip to the database and nothing else: measures how fast the machine currently is. */
async function probe(response: ServerResponse): Promise<void> {
  const { rows } = await pool.query({ name: 'probe', text: 'select 1 as one' });
  const body = JSON.stringify(rows[0]);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/api/probe') return probe(response);
  const sent = /session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const { rows } = await pool.query<Reader>({ ...sessionQuery, values: [hashOf(sent)] });
  const answer = answers[request.url ?? ''];
  if (!rows[0] || !answer) return void response.writeHead(rows[0] ? 404 : 401).end();
  const body = JSON.stringify(await answer(rows[0]));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

await pool.query(
  `insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at, ip, user_agent)
   select $1, u.id, u.session_epoch, i.global_epoch, now() + interval '1 day', '127.0.0.1', 'bench'
   from users u cross join installation i where u.is_admin limit 1`,
  [hashOf(token)],
);
createServer((request, response) => void handle(request, response)).listen(Number(port), '127.0.0.1', () =>
  console.log('ready'),
);
