import type { Transporter } from 'nodemailer';
import { isLoopback } from '../loopback.ts';

export type Mail = {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html?: string;
  /** The name displayed with the address of `MAIL_FROM`. */
  sender?: string;
  /** Pictures to embed in `html` as `cid:`. */
  pictures?: readonly { cid: string; filename: string; content: Buffer }[];
};

export type Mailer = {
  /** False when no server is configured. */
  isOn: boolean;
  /** Sends the mail. Throws `MailFailure`; returns 'off' when no server is configured. */
  send: (mail: Mail) => Promise<'sent' | 'off'>;
};

export type MailerOptions = {
  /** `smtp://` or `smtps://`; without it, no mail is sent. */
  smtpUrl: string | undefined;
  /** `Name <address>` */
  from: string;
  /** The time limit for one mail in total, from the DNS lookup to the last reply. */
  timeoutMs?: number;
};

/**
 * A mail that was not sent, or perhaps not. `temporary`: a retry may succeed. `permanent`: a retry never will. The
 * message only contains codes, because servers repeat addresses in theirs.
 */
export class MailFailure extends Error {
  readonly kind: 'temporary' | 'permanent';
  readonly code: string;
  /** The three-digit reply code of the server, if any. */
  readonly reply: number | undefined;
  constructor(kind: 'temporary' | 'permanent', code: string, reply?: number) {
    super(`Mail not sent: ${[code, reply].filter(Boolean).join(' ')} (${kind})`);
    this.kind = kind;
    this.code = code;
    this.reply = reply;
  }
}

/** Milliseconds that sending one mail may take. */
export const mailTimeout = 30_000;

/** Opens no connection yet. Throws if a setting is unusable. */
export function openMailer({ smtpUrl, from, timeoutMs = mailTimeout }: MailerOptions): Mailer {
  if (!smtpUrl) return { isOn: false, send: async () => 'off' };
  if (isSplitting(from)) throw new Error('MAIL_FROM: contains a line break: remove it');
  const requireTLS = needsTls(new URL(smtpUrl));
  let transport: Promise<Transporter> | undefined;
  const opened = () => (transport ??= openTransport({ smtpUrl, from, timeoutMs, requireTLS }));
  return {
    isOn: true,
    async send(mail) {
      refuseInjection(mail);
      try {
        const { sender, pictures, ...message } = mail;
        const parts = {
          ...(sender !== undefined && { from: { name: sender, address: addressOf(from) } }),
          ...(pictures && { attachments: [...pictures] }),
        };
        await (await opened()).sendMail({ ...message, ...parts, signal: AbortSignal.timeout(timeoutMs) });
        return 'sent';
      } catch (error) {
        throw failure(error as SmtpError);
      }
    },
  };
}

/**
 * Connects to the server and signs in, without sending anything.
 * @returns whether mails to it would be encrypted
 * @throws {MailFailure}
 */
export async function greetServer(options: MailerOptions & { smtpUrl: string }): Promise<{ isEncrypted: boolean }> {
  const { timeoutMs = mailTimeout } = options;
  const url = new URL(options.smtpUrl);
  const greet = async (requireTLS: boolean) => {
    const transport = await openTransport({ ...options, timeoutMs, requireTLS });
    await transport.verify().catch((error: SmtpError) => Promise.reject(failure(error)));
  };
  try {
    await greet(url.protocol === 'smtp:');
    return { isEncrypted: true };
  } catch (error) {
    if ((error as MailFailure).code !== 'ETLS' || needsTls(url)) throw error;
    await greet(false);
    return { isEncrypted: false };
  }
}

/** A password is only sent unencrypted to this machine. */
const needsTls = ({ protocol, password, hostname }: URL) =>
  protocol === 'smtp:' && password !== '' && !isLoopback(hostname);

type TransportOptions = { smtpUrl: string; from: string; timeoutMs: number; requireTLS: boolean };

/** Loaded with the first mail, because many processes send none. */
async function openTransport({ smtpUrl, from, timeoutMs, requireTLS }: TransportOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    {
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      socketCloseTimeout: 1_000,
      maxResponseSize: 64 * 1_024,
      requireTLS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from, xMailer: false, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
}

/** The address in `Name <address>`. */
const addressOf = (from: string) => /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from.trim();

const isSplitting = (text: string) => /[\p{Cc}\u2028\u2029]/u.test(text);

function refuseInjection({ to, subject, sender = '' }: Mail) {
  if (isSplitting(to.name) || isSplitting(subject) || isSplitting(sender))
    throw new MailFailure('permanent', 'EHEADER');
  // One plain address, without characters that end it, quote, or start a second one.
  if (!/^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()\\,;"@]+$/u.test(to.address))
    throw new MailFailure('permanent', 'EADDRESS');
}

type SmtpError = Error & { code?: string; responseCode?: number };

// Only a reply about this mail is permanent; a refused sign-in or connection may succeed later.
function failure({ code = 'UNKNOWN', responseCode }: SmtpError): MailFailure {
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const final = responseCode === undefined || (responseCode >= 500 && responseCode !== 503);
  return new MailFailure(aboutMail && final ? 'permanent' : 'temporary', code, responseCode);
}
