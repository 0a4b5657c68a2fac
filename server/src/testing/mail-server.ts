import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';
import type { Deps } from '../http/context.ts';
import { openMailer } from '../mail/mailer.ts';
import { deliverMail } from '../notifications/deliver.ts';

/** A mail as its recipient sees it. */
export type Received = { to: string[]; subject: string; source: string };

const decoded = (source: string) =>
  Buffer.from(
    source
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** A mail server that accepts everything, until the end of the test file. */
export async function mailServer() {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope: { rcptTo } }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const source = decoded(Buffer.concat(parts).toString());
        const subject = /^Subject: (.*)$/m.exec(source)?.[1] ?? '';
        received.push({ to: rcptTo.map(({ address }) => address), subject, source });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Tenure <no-reply@acme.example>' });
  return {
    received,
    port,
    /** Sends the mails that are due at a moment. */
    deliver: (deps: Deps, now = Temporal.Now.instant()) => deliverMail({ deps: { ...deps, mailer }, now }),
  };
}
