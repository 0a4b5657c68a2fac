import { isLoopback } from '../loopback.ts';
import type { Config } from '../config.ts';
import { greetServer, MailFailure } from '../mail/mailer.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

const timeoutMs = 5_000;
const defaultSender = /@localhost>?$/;

const remedies: Readonly<Record<string, string>> = {
  EAUTH: 'Correct the user and password in SMTP_URL.',
  ETLS: 'Correct the certificate of the mail server, or use the host name that the certificate is issued for.',
  EDNS: 'Correct the host in SMTP_URL, or the DNS of this machine.',
  ESOCKET: 'Correct the host and port in SMTP_URL, or give the mail server a certificate for that host.',
  ETIMEDOUT: 'Correct the host and port in SMTP_URL, or open the firewall.',
};

/** Connects to the mail server, with TLS and sign-in, and sends nothing. */
export async function checkMail({ SMTP_URL, MAIL_FROM, production }: Config): Promise<Finding[]> {
  if (!SMTP_URL) return [ok('smtp', 'No mail is sent (SMTP_URL is not set)')];
  let isEncrypted: boolean;
  try {
    ({ isEncrypted } = await greetServer({ smtpUrl: SMTP_URL, from: MAIL_FROM, timeoutMs }));
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const { code, reply } = error;
    const what = `The mail server cannot be used (${[code, reply].filter(Boolean).join(' ')})`;
    return [
      fail(
        'smtp',
        what,
        remedies[code] ??
          'Correct SMTP_URL or the certificate of the mail server, and check the log of the mail server.',
      ),
    ];
  }
  const greeted =
    isEncrypted || isLoopback(new URL(SMTP_URL).hostname)
      ? ok('smtp', `The mail server answers, ${isEncrypted ? 'with TLS' : 'on this machine'}`)
      : warn(
          'smtp',
          'The mail server answers, but mails are sent to it without encryption',
          'Use smtps://, or a server that offers STARTTLS.',
        );
  if (!production || !defaultSender.test(MAIL_FROM)) return [greeted];
  return [
    greeted,
    warn(
      'sender',
      `Mails are sent from ${MAIL_FROM}, an address that nobody can reply to`,
      'Set MAIL_FROM to an address of your domain.',
    ),
  ];
}
