import { sql } from 'kysely';
import { logoBytes } from '../brand/read.ts';
import type { Db } from '../db/connect.ts';
import { StoreUnavailable } from '../files/disk.ts';
import type { JobContext } from '../jobs/task.ts';
import { MailFailure } from '../mail/mailer.ts';
import type { Mail } from '../mail/mailer.ts';
import { claimMails, moment } from './due.ts';
import type { Addressee, Claimed, Sender } from './due.ts';
import { mintFor } from './links.ts';
import { linkMailOf, mailOf, providerMailOf } from './mail.ts';
import type { MailBrand } from './mail.ts';

type Outcome = { mail_id: number; status: 'pending' | 'sent' | 'failed'; error: string | null; wait_minutes: number };

export const giveUpAfterHours = 24;

/** Minutes until the next try: 1, 2, 4 … but at most an hour. */
const pause = (attempts: number) => Math.min(2 ** (attempts - 1), 60);

type Letter = Pick<Claimed, 'lines'> & Sender & Addressee;

/** The logo is read for each mail, because few are sent at a time. */
async function brandOf({ deps }: JobContext, { brand_name, logo_key }: Sender): Promise<MailBrand> {
  return { name: brand_name, logo: logo_key === null ? null : await logoIfThere(deps, logo_key) };
}

/** A mail is sent without the logo rather than late. */
const logoIfThere = ({ files }: JobContext['deps'], key: string) =>
  logoBytes(files, key).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  });

/** The mail to send; undefined for a revoked link. The token of a link is created here and appears only in its mail. */
async function written(ctx: JobContext, claimed: Letter): Promise<Mail | undefined> {
  const { deps } = ctx;
  const appUrl = deps.config.APP_URL;
  const letter = { ...claimed, brand: await brandOf(ctx, claimed) };
  const minted = await mintFor(deps.db, letter.lines, letter.address);
  if (minted === null) return mailOf(letter, appUrl);
  if (!minted) return undefined;
  return 'providers' in minted ? providerMailOf(letter, appUrl, minted.providers) : linkMailOf(letter, appUrl, minted);
}

async function attempt(ctx: JobContext, claimed: Claimed): Promise<Outcome> {
  const { mail_id, attempts } = claimed;
  const failed = (error: string): Outcome => ({ mail_id, status: 'failed', error, wait_minutes: 0 });
  if (claimed.address === null) return failed('The person has left.');
  try {
    const mail = await written(ctx, claimed);
    if (!mail) return failed('The link is void.');
    const result = await ctx.deps.mailer.send(mail);
    return result === 'sent' ? { mail_id, status: 'sent', error: null, wait_minutes: 0 } : failed(mailIsOff);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof MailFailure && error.kind === 'permanent') return failed(message);
    return { mail_id, status: 'pending', error: message.slice(0, 500), wait_minutes: pause(attempts) };
  }
}

/** Records the outcome of each mail and gives up on mails that have failed for a day since the first attempt. */
async function recordOutcomes(ctx: JobContext, outcomes: readonly Outcome[]): Promise<void> {
  const now = moment(ctx);
  await sql`
    update notification_deliveries d
    set status = case when o.status = 'pending' and d.first_attempt_at < ${now} - make_interval(hours => ${giveUpAfterHours})
                      then 'failed' else o.status end,
        error = o.error, leased_until = null,
        next_attempt_at = ${now} + make_interval(mins => o.wait_minutes),
        sent_at = case when o.status = 'sent' then ${now} end
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      as o (mail_id bigint, status text, error text, wait_minutes int)
    where d.mail_id = o.mail_id and d.leased_until is not null`.execute(ctx.deps.db);
}

const mailIsOff = 'Mail is off.';

const giveUpAll = (db: Db) =>
  sql`update notification_deliveries set status = 'failed', error = ${mailIsOff} where status = 'pending'`.execute(db);

/**
 * Sends the mails that are due. If the server fails for all of them, waits for the next scheduled run, so that a
 * hanging server occupies one worker for seconds only. Without a configured server no mail is queued.
 */
export async function deliverMail(ctx: JobContext): Promise<void> {
  if (!ctx.deps.mailer.isOn) return void (await giveUpAll(ctx.deps.db));
  for (;;) {
    const mails = await claimMails(ctx);
    if (mails.length === 0) return;
    const outcomes = await Promise.all(mails.map((mail) => attempt(ctx, mail)));
    await recordOutcomes(ctx, outcomes);
    if (outcomes.every(({ status }) => status === 'pending')) return;
  }
}
