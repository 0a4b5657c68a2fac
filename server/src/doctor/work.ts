import { sql } from 'kysely';
import { chainHead } from '../audit-chain.ts';
import type { ChainBreak } from '../audit-chain.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { readFigures } from '../http/database-figures.ts';
import type { Figures } from '../http/database-figures.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

const limits = { job: 600, mail: 3_600, chain: 600 };
const minutes = (seconds: number) => `${Math.round(seconds / 60)} min`;

async function failedTasks(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select distinct task_identifier as name from graphile_worker.jobs
    where locked_at is null and attempts >= max_attempts order by name limit 5`.execute(db);
  return rows.map(({ name }) => name).join(', ');
}

async function checkJobs(db: Db, { jobs_oldest, jobs_failed }: Figures): Promise<Finding[]> {
  const late =
    jobs_oldest > limits.job
      ? fail(
          'jobs',
          `A job has been due for ${minutes(jobs_oldest)}`,
          'Start a process with ROLE=all or ROLE=worker, and look for worker_down in its log.',
        )
      : ok('jobs', 'Jobs run on time');
  if (jobs_failed === 0) return [late];
  return [
    late,
    warn(
      'failed-jobs',
      `${jobs_failed} jobs failed on every attempt: ${await failedTasks(db)}`,
      'Look for job_queue in the log and remove the cause; "Failed jobs" in docs/operations.md says how to run them again.',
    ),
  ];
}

function checkMails({ mail_oldest, mail_pending }: Figures, { SMTP_URL }: Config): Finding {
  if (mail_pending > 0 && !SMTP_URL)
    return warn(
      'mails',
      `${mail_pending} mails are waiting to be sent, but SMTP_URL is not set`,
      'Set SMTP_URL again.',
    );
  return mail_oldest > limits.mail
    ? warn(
        'mails',
        `A mail has been due for ${minutes(mail_oldest)}`,
        'Check the column error of notification_deliveries, and the mail server.',
      )
    : ok('mails', 'Mails are sent on time');
}

const linksLookedAt = 1_000;

/** The head of the audit log's chain, and its newest links; `npm run audit:verify` checks all of them. */
async function checkAudit(db: Db, { audit_unchained }: Figures, isRunning: boolean): Promise<Finding> {
  const { position, hash } = (await chainHead(db)) ?? { position: 0, hash: '' };
  const { rows } = await sql<ChainBreak>`
    select * from broken_audit_links(${Math.max(1, position - linksLookedAt)}, ${linksLookedAt + 1})`.execute(db);
  if (rows[0])
    return fail(
      'audit-log',
      `The audit log was changed outside the service, first at position ${rows[0].position}`,
      'Run the command audit-verify, keep the database unchanged, and find out who has access to the owner role.',
    );
  if (isRunning && audit_unchained > limits.chain)
    return fail(
      'audit-log',
      `An audit log entry has had no link for ${minutes(audit_unchained)}`,
      'Start a process with ROLE=all or ROLE=worker, and end transactions that have been open for long.',
    );
  return ok('audit-log', `The newest links are unchanged; head ${position}:${hash}`);
}

/** Jobs, mails and audit log. Delays are only checked while a service is running. */
export async function checkWork(db: Db, config: Config, isRunning: boolean): Promise<Finding[]> {
  const { figures } = await readFigures(db, config.SESSION_IDLE_MINUTES * 60);
  if (!figures) return [fail('jobs', 'The database does not return its metrics', 'Check the log of the database.')];
  const checked = isRunning ? figures : { ...figures, jobs_oldest: 0, mail_oldest: 0 };
  return [...(await checkJobs(db, checked)), checkMails(checked, config), await checkAudit(db, figures, isRunning)];
}
