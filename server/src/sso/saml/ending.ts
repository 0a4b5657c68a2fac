import { sql } from 'kysely';
import { readCertificate } from '../../crypto/certificate.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { leadDaysOf } from '../../notifications/lead-days.ts';
import { notifyCertificateEnding } from '../../notifications/providers.ts';

/** Reminders that a provider's certificates expire, after which no one can sign in through it. */

type Stored = { id: number; name: string; certificates: string[] };

/** When the last of the certificates expires, in milliseconds. */
const endOf = ({ certificates }: Stored): number =>
  Math.max(...certificates.map((der) => Date.parse(readCertificate(der)?.valid_until ?? '') || 0));

const day = 86_400_000;

/** Reminds of enabled providers whose reminder day has come. Each day is one round, as is a new certificate. */
export async function remindOfCertificates({ deps: { db }, now }: JobContext): Promise<void> {
  const leadDays = await leadDaysOf(db, 'certificate_ending');
  if (!leadDays) return;
  await inJobTransaction(db, async (trx) => {
    const { rows } = await sql<Stored>`
      select id, name, certificates from identity_providers where kind = 'saml' and is_enabled order by id`.execute(
      trx,
    );
    for (const provider of rows) {
      const left = endOf(provider) - now.epochMilliseconds;
      const lead = Math.min(...leadDays.filter((days) => left <= days * day));
      if (left <= 0 || lead === Infinity) continue;
      const date = new Date(endOf(provider)).toISOString().slice(0, 10);
      await notifyCertificateEnding(trx, { ...provider, date, lead });
    }
  });
}
