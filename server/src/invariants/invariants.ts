import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { auditBreaks, chainAuditLog, chainBatch } from '../audit-chain.ts';
import { startSha256 } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { storedFigures } from '../jobs/stored-figures.ts';
import { inBatches } from '../jobs/task.ts';
import { kpiRules } from './kpi.ts';
import { probationRules, signatureErrors } from './probation.ts';

/** Figures and candidates that triggers maintain beside the records. */
const figureRules = Object.fromEntries(Object.entries(storedFigures).map(([rule, { differing }]) => [rule, differing]));

/** What must always be true of the stored data, whatever was killed before; each query finds violations. */
const rules: Record<string, RawBuilder<unknown>> = {
  ...kpiRules,
  ...probationRules,
  ...figureRules,
  'somebody is active before the joining date, or joining without one': sql`
    select e.id, e.activity_status, e.joining_date from employees e join entities c on c.id = e.entity_id
    where e.activity_status = 'active' and e.joining_date > (now() at time zone c.timezone)::date
       or e.activity_status = 'joining' and e.joining_date is null`,
  'a person differs from the current row of the job history': sql`
    select e.id from employees e join job_history h on h.employee_id = e.id and h.status = 'current'
    where (e.entity_id, e.department_id, e.reporting_manager_id, e.job_title, e.grade, e.employment_type,
           e.employment_lifecycle)
      is distinct from (h.entity_id, h.department_id, h.reporting_manager_id, h.job_title, h.grade, h.employment_type,
                        h.employment_lifecycle)`,
  'a person was added without a job history, or not once': sql`
    select a.subject_id, a.entries, e.id from
      (select subject_id, count(*) as entries from audit_log where action = 'employee.created' group by 1) as a
    left join employees e on e.id = a.subject_id
    where a.entries > 1
       or (e.id is not null
           and not exists (select from job_history h where h.employee_id = e.id and h.status = 'current'))
       or (e.id is null and not exists (select from audit_log where action = 'import.undone'))`,
  'a job history has a gap or an overlap': sql`
    select employee_id, effective_from, effective_to, next from (
      select employee_id, effective_from, effective_to, status,
             lead(effective_from) over (partition by employee_id
                                        order by effective_from, effective_to nulls last, id) as next
      from job_history where status in ('past', 'current')) as h
    where (status = 'current') <> (next is null)
       or (status = 'past' and effective_to <> greatest(effective_from, next - 1))`,
  'a job period differs from the job of today, or overlaps another one': sql`
    with today as (
      select e.*, (now() at time zone c.timezone)::date as day from employees e join entities c on c.id = e.entity_id)
    select e.id from today e
    join job_history h on h.employee_id = e.id and h.status = 'current' and h.effective_from <= e.day
    left join job_periods s on s.employee_id = e.id and e.day between s.first_day and s.last_day
    where e.deleted_at is null and e.employment_lifecycle in ('probationary', 'confirmed')
      and coalesce(e.joining_date <= e.day, true)
      and not exists (select from job_history p
                      where p.employee_id = e.id and p.status = 'scheduled' and p.effective_from <= e.day)
      and (s.history_id, s.entity_id, s.department_id, s.reporting_manager_id, s.job_title, s.grade, s.employment_type,
           s.employment_lifecycle)
        is distinct from (h.id, e.entity_id, e.department_id, e.reporting_manager_id, e.job_title, e.grade,
                          e.employment_type, e.employment_lifecycle)
    union all
    select a.employee_id from job_periods a join employees e on e.id = a.employee_id
    where e.deleted_at is not null or exists (
      select from job_periods b where b.employee_id = a.employee_id and b.first_day > a.first_day
        and b.first_day <= a.last_day)`,
  'somebody reports to himself, directly or not': sql`
    with recursive above as (
      select id as person, reporting_manager_id as id from employees where reporting_manager_id is not null
      union
      select above.person, e.reporting_manager_id from above join employees e on e.id = above.id
      where e.reporting_manager_id is not null)
    select person from above where person = id`,
  'a department lies below itself': sql`
    with recursive above as (
      select id as department, parent_id as id from departments where parent_id is not null
      union
      select above.department, d.parent_id from above join departments d on d.id = above.id
      where d.parent_id is not null)
    select department from above where department = id`,
  'an account belongs to nobody': sql`
    select id, email from users u
    where not exists (select from employees e where e.user_id = u.id)
      and not exists (select from role_assignments a where a.user_id = u.id)`,
  'a person has an account without an address, or an address without an account': sql`
    select e.id from employees e left join users u on u.id = e.user_id
    where (e.user_id is null) <> (e.email is null) or u.email is distinct from e.email`,
  'a person has no role': sql`
    select id from employees e where e.user_id is not null
      and not exists (select from role_assignments a where a.user_id = e.user_id)
      and exists (select from audit_log where action = 'employee.created' and subject_id = e.id)`,
  'a number or an address is taken twice': sql`
    select fold(employee_number) from employees group by 1 having count(*) > 1
    union all select lower(email) from users group by 1 having count(*) > 1`,
  'nobody who may sign in is an administrator': sql`select where not has_active_admin()`,
  'an import is being worked on by nobody': sql`
    select id, leased_until from imports where status = 'processing'
      and coalesce(leased_until, updated_at) < now() - interval '5 minutes'`,
  'an import counts other rows than it has': sql`
    select i.id, i.counts, found.rows from imports i, lateral (
      select jsonb_build_object('created', count(*) filter (where status = 'created'),
                                'updated', count(*) filter (where status = 'updated'),
                                'failed', count(*) filter (where status = 'failed')) as rows
      from import_rows r where r.import_id = i.id) as found
    where i.status in ('completed', 'failed') and not i.counts @> found.rows`,
  'a row of an import created nobody, or two rows one': sql`
    select r.import_id, r.subject_id from import_rows r join imports i on i.id = r.import_id
    left join employees e on e.id = r.subject_id
    where r.status = 'created' and i.type = 'employees'
    group by r.import_id, r.subject_id having count(*) > 1 or bool_or(e.id is null)`,
  'an import of files that has ended keeps staged ones': sql`
    select i.id, i.status from imports i
    where i.status in ('completed', 'failed', 'expired', 'undone', 'partly_undone')
      and exists (select from import_files f where f.import_id = i.id)`,
  'a job is held by nobody who lives, or was given up': sql`
    select j.id, j.locked_by, j.attempts from graphile_worker.jobs j
    where j.attempts >= j.max_attempts
       or (j.locked_at < now() - interval '5 minutes'
           and not exists (select from job_workers w where w.id = j.locked_by and w.last_seen_at > now() - interval '5 minutes'))`,
};

/** Rows whose foreign key leads nowhere, for every foreign key. */
async function orphans(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; query: string }>`
    select k.conname as name,
           format('select from %s c where (%s) is not null and not exists (select from %s p where (%s) = (%s)) limit 1',
                  k.conrelid::regclass, own.list, k.confrelid::regclass, own.list, other.list) as query
    from pg_constraint k,
      lateral (select string_agg(format('c.%I', a.attname), ', ' order by u.place) as list
               from unnest(k.conkey) with ordinality as u (number, place)
               join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number) as own,
      lateral (select string_agg(format('p.%I', a.attname), ', ' order by u.place) as list
               from unnest(k.confkey) with ordinality as u (number, place)
               join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number) as other
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`.execute(db);
  const found: string[] = [];
  for (const { name, query } of rows)
    if ((await sql.raw(query).execute(db)).rows.length > 0) found.push(`a row refers to nothing by ${name}`);
  return found;
}

/** The audit log's chain, brought up to date with what is committed. */
async function brokenChain(db: Db): Promise<string[]> {
  await inBatches(chainBatch, () => chainAuditLog(db));
  const faults = await auditBreaks(db);
  return faults.map((fault) => `the audit log is not as it was written: ${JSON.stringify(fault)}`);
}

async function checksumOf(path: string): Promise<string> {
  const hash = startSha256();
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

type Named = { key: string; size: number | null; checksum: string | null };

/** Files without a row that the sweep should have removed by now, and rows without their file. */
async function strayFiles(db: Db, folder: string, now: number): Promise<string[]> {
  const { rows } = await sql<Named>`
    select file_key as key, size, checksum from attachments
    union all select file_key, size, checksum from kpi_evidence where file_key is not null
    union all select file_key, size, checksum from probation_sheets
    union all select image_key, null, image_checksum from probation_signatures where image_key is not null
    union all select picture_key, null, null from employees where picture_key is not null
    union all select logo_key, null, null from brands where logo_key is not null
    union all select file_key, size, checksum from import_files where file_key is not null
    union all select file_key, null, null from removed_files`.execute(db);
  const kept = new Set(await readdir(join(folder, 'kept')));
  const found: string[] = [];
  for (const { key, size, checksum } of rows) {
    const path = join(folder, 'kept', key);
    if (!kept.delete(key)) found.push(`the file ${key} is gone`);
    else if (size !== null && (await stat(path)).size !== size) found.push(`the file ${key} has another size`);
    else if (checksum !== null && (await checksumOf(path)) !== checksum) found.push(`the file ${key} is another`);
  }
  const left = [...kept].map((name) => join('kept', name));
  for (const name of [...left, ...(await readdir(join(folder, 'incoming'))).map((name) => join('incoming', name))])
    if (now - (await stat(join(folder, name))).ctimeMs > 3_600_000) found.push(`${name} belongs to nothing`);
  return found;
}

/** One line for each violated rule, with some of the rows that violate it. */
export async function brokenRules(
  db: Db,
  of: Readonly<Record<string, RawBuilder<unknown>>> = rules,
): Promise<string[]> {
  const found: string[] = [];
  for (const [rule, query] of Object.entries(of)) {
    const { rows } = await query.execute(db);
    if (rows.length > 0) found.push(`${rule}: ${JSON.stringify(rows.slice(0, 5))}`);
  }
  return found;
}

/**
 * Looks for anything in the database, and in the file store below `folder`, that no fault may leave behind. `db` acts
 * as the owner. Also chains the audit log.
 * @returns one line for each fault
 */
export async function brokenInvariants(db: Db, folder?: string, now = Date.now()): Promise<string[]> {
  const files = folder ? await strayFiles(db, folder, now) : [];
  return [
    ...(await brokenRules(db)),
    ...(await signatureErrors(db)),
    ...(await orphans(db)),
    ...(await brokenChain(db)),
    ...files,
  ];
}
