import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { inspect } from 'node:util';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { greetServer, MailFailure, openMailer } from './mailer.ts';
import type { Mail } from './mailer.ts';

const from = 'Tenure <no-reply@acme.example>';
const mail: Mail = {
  to: { name: 'Lena Park', address: 'lena.park@acme.example' },
  subject: 'Your review is ready',
  text: 'Open http://localhost:8000/kpi-evaluations/311',
};

type Delivered = { sender: string; recipients: string[]; source: string };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A mail server that accepts everything except what the options say. */
async function mailServer(options: SMTPServerOptions = {}) {
  const delivered: Delivered[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope: { mailFrom, rcptTo } }, callback) {
      const lines: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => lines.push(chunk));
      stream.on('end', () => {
        const recipients = rcptTo.map(({ address }) => address);
        delivered.push({
          sender: mailFrom ? mailFrom.address : '',
          recipients,
          source: Buffer.concat(lines).toString(),
        });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(() => resolve())));
  return { delivered, smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

/** A server without SMTP: the test decides what it does with a connection. */
async function oddServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { sockets, smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const refusing = (responseCode: number, message = 'No such person lena.park@acme.example') =>
  Object.assign(new Error(message), { responseCode });

const failureOf = async (smtpUrl: string, timeoutMs = 5_000, sent = mail) => {
  const failure = await openMailer({ smtpUrl, from, timeoutMs })
    .send(sent)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MailFailure);
  return failure as MailFailure;
};

describe('a mail', () => {
  test('reaches the server with its names, its subject and both texts', async () => {
    const { delivered, smtpUrl } = await mailServer();
    const mailer = openMailer({ smtpUrl, from });
    const to = { name: 'Zoë "Z" Müller, HR', address: 'zoe@acme.example' };
    expect(await mailer.send({ ...mail, to, subject: 'Beurteilung für Zoë', html: '<p>Hello</p>' })).toBe('sent');

    expect(delivered).toHaveLength(1);
    const [{ sender, recipients, source } = { sender: '', recipients: [], source: '' }] = delivered;
    expect(sender).toBe('no-reply@acme.example');
    expect(recipients).toEqual(['zoe@acme.example']);
    expect(source).toContain('From: Tenure <no-reply@acme.example>');
    expect(source).toMatch(/^To: .*<zoe@acme\.example>$/m);
    expect(source).toMatch(/^Subject: =\?UTF-8\?Q\?Beurteilung_f=C3=BCr_Zo=C3=AB\?=/m);
    expect(source).toContain(mail.text);
    expect(source).toContain('<p>Hello</p>');
    expect(source).toContain('Auto-Submitted: auto-generated');
    expect(source).not.toMatch(/nodemailer|x-mailer/i);
  });

  test('is not sent where no server is configured', async () => {
    expect(await openMailer({ smtpUrl: undefined, from }).send(mail)).toBe('off');
    expect(await openMailer({ smtpUrl: '', from }).send(mail)).toBe('off');
  });

  test('is sent with the user and password of the address', async () => {
    const seen: unknown[] = [];
    const { smtpUrl } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        seen.push([username, password]);
        callback(null, { user: username });
      },
    });
    const withUser = smtpUrl.replace('//', '//post%40acme:s%3Acret@');
    expect(await openMailer({ smtpUrl: withUser, from }).send(mail)).toBe('sent');
    expect(seen).toEqual([['post@acme', 's:cret']]);
  });
});

describe('a mail with an injection attempt', () => {
  const breaks = ['\r\n', '\n', '\r', '\0', '\u2028', '\u2029', '\u0085', '\t'];
  const split = breaks.map((piece) => `Hello${piece}Bcc: everybody@acme.example`);

  test.each([
    ['name', split.map((name) => ({ ...mail, to: { ...mail.to, name } }))],
    ['subject', split.map((subject) => ({ ...mail, subject }))],
  ])('by a line break in its %s is refused before a server is contacted', async (_, mails) => {
    const { sockets, smtpUrl } = await oddServer(() => undefined);
    for (const sent of mails)
      expect(await failureOf(smtpUrl, 5_000, sent)).toMatchObject({ kind: 'permanent', code: 'EHEADER' });
    expect(sockets.size).toBe(0);
  });

  test.each([
    ...split,
    '',
    'lena',
    'lena@',
    '@acme.example',
    'lena@acme.example,other@acme.example',
    'lena@acme.example other@acme.example',
    'Lena <lena@acme.example>',
    'lena@acme.example>\r\nRCPT TO:<other@acme.example',
    '"lena"@acme.example',
    'group:lena@acme.example;',
    'a@b@c',
  ])('by the address %j is refused before a server is contacted', async (address) => {
    const { sockets, smtpUrl } = await oddServer(() => undefined);
    const failure = await failureOf(smtpUrl, 5_000, { ...mail, to: { name: 'Lena', address } });
    expect(failure).toMatchObject({ kind: 'permanent', code: 'EADDRESS' });
    expect(sockets.size).toBe(0);
  });

  test('by commands in its text is sent as one mail', async () => {
    const { delivered, smtpUrl } = await mailServer();
    await openMailer({ smtpUrl, from }).send({ ...mail, text: 'Hello\r\n.\r\nMAIL FROM:<evil@acme.example>\r\n' });
    expect(delivered).toHaveLength(1);
    expect(delivered[0]?.source).toContain('MAIL FROM:<evil@acme.example>');
  });
});

describe('a server that replies', () => {
  test.each([
    [450, 'temporary'],
    [452, 'temporary'],
    [550, 'permanent'],
    [553, 'permanent'],
    [503, 'temporary'],
  ] as const)('%i to the recipient: the failure is %s', async (code, kind) => {
    const { delivered, smtpUrl } = await mailServer({ onRcptTo: (_address, _session, done) => done(refusing(code)) });
    expect(await failureOf(smtpUrl)).toMatchObject({ kind, reply: code });
    expect(delivered).toEqual([]);
  });

  test.each([
    [451, 'temporary'],
    [554, 'permanent'],
  ] as const)('%i to the content: the failure is %s', async (code, kind) => {
    const { smtpUrl } = await mailServer({
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(refusing(code)));
      },
    });
    expect(await failureOf(smtpUrl)).toMatchObject({ kind, reply: code });
  });

  test('421 or 554 to the connection: the failure is temporary', async () => {
    for (const code of [421, 554]) {
      const { smtpUrl } = await mailServer({ onConnect: (_session, done) => done(refusing(code)) });
      expect(await failureOf(smtpUrl)).toMatchObject({ kind: 'temporary' });
    }
  });

  test('no to the password: the failure is temporary, because the setting can be fixed', async () => {
    const { smtpUrl } = await mailServer({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusing(535)),
    });
    const failure = await failureOf(smtpUrl.replace('//', '//post:wrong@'));
    expect(failure).toMatchObject({ kind: 'temporary', code: 'EAUTH', reply: 535 });
  });

  test("with a person's name: the failure does not repeat it", async () => {
    const { smtpUrl } = await mailServer({ onRcptTo: (_address, _session, done) => done(refusing(550)) });
    const failure = await failureOf(smtpUrl);
    expect(failure.message).toBe('Mail not sent: EENVELOPE 550 (permanent)');
    expect(inspect(failure)).not.toContain('lena');
  });
});

describe('a server that fails', () => {
  test('because nothing listens: the failure is temporary', async () => {
    const { smtpUrl } = await oddServer(() => undefined);
    await closing.pop()?.();
    expect(await failureOf(smtpUrl)).toMatchObject({ kind: 'temporary', code: 'ESOCKET' });
  });

  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    [
      'says a letter now and then, never a line',
      (socket) => {
        const timer = setInterval(() => socket.write('2'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    ['greets and then falls silent', (socket) => socket.write('220 mail.acme.example\r\n')],
    ['is no mail server', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['sends noise', (socket) => socket.write(Buffer.alloc(5_000, 0xfe))],
    ['hangs up at once', (socket) => socket.end()],
    ['breaks the line', (socket) => socket.resetAndDestroy()],
  ])(
    'because it %s: the failure is temporary and within the timeout, and the connection is closed',
    async (_, talk) => {
      const { sockets, smtpUrl } = await oddServer(talk);
      expect(await failureOf(smtpUrl, 150)).toMatchObject({ kind: 'temporary' });
      await expect.poll(() => sockets.size).toBe(0);
    },
  );

  test('because it never stops sending: the connection is closed after 64 KiB', async () => {
    let written = 0;
    const { smtpUrl } = await oddServer((socket) => {
      const pour = () => {
        while (!socket.destroyed && written < 1e9) {
          written += 65_536;
          if (!socket.write(Buffer.alloc(65_536, '2'))) break;
        }
      };
      socket.on('drain', pour);
      pour();
    });
    expect(await failureOf(smtpUrl)).toMatchObject({ kind: 'temporary' });
    expect(written).toBeLessThan(64 * 1_024 * 1_024);
  });

  test('because it accepted the mail without a reply: the failure is temporary', async () => {
    const { smtpUrl } = await mailServer({ onData: (stream) => stream.resume() });
    expect(await failureOf(smtpUrl, 300)).toMatchObject({ kind: 'temporary' });
  });
});

describe('a greeting', () => {
  test('sends nothing, and tells whether mails would be encrypted', async () => {
    const { delivered, smtpUrl } = await mailServer();
    expect(await greetServer({ smtpUrl, from })).toEqual({ isEncrypted: false });
    expect(delivered).toEqual([]);
  });

  test('fails as a mail would: at a password, a certificate, an end of the line', async () => {
    const refusingAll = await mailServer({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusing(535)),
    });
    const withPassword = refusingAll.smtpUrl.replace('//', '//post:wrong@');
    await expect(greetServer({ smtpUrl: withPassword, from })).rejects.toMatchObject({ code: 'EAUTH', reply: 535 });
    const { smtpUrl } = await mailServer({ disabledCommands: [] });
    await expect(greetServer({ smtpUrl, from })).rejects.toBeInstanceOf(MailFailure);
    const silent = await oddServer(() => undefined);
    await expect(greetServer({ smtpUrl: silent.smtpUrl, from, timeoutMs: 150 })).rejects.toMatchObject({
      kind: 'temporary',
    });
  });

  test('gives a password to another machine with encryption only', async () => {
    const { smtpUrl } = await mailServer();
    const elsewhere = smtpUrl.replace('//127.0.0.1', '//post:s3cret@0.0.0.0');
    await expect(greetServer({ smtpUrl: elsewhere, from })).rejects.toMatchObject({ kind: 'temporary' });
  });
});

describe('a setting', () => {
  test('MAIL_FROM with a line break is refused at the start', () => {
    const smtpUrl = 'smtp://mail.acme.example';
    expect(() => openMailer({ smtpUrl, from: `${from}\r\nBcc: x@y` })).toThrow(/^MAIL_FROM: /);
  });

  test('with a password for another machine is not used without encryption', async () => {
    const commands: string[] = [];
    const { smtpUrl } = await oddServer((socket) => {
      socket.write('220 mail\r\n');
      socket.on('data', (data) => {
        commands.push(data.toString());
        socket.write(data.toString().startsWith('EHLO') ? '250-mail\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no\r\n');
      });
    });
    // Another name of this machine that is not one of the loopback spellings.
    const elsewhere = smtpUrl.replace('//127.0.0.1', '//post:s3cret@0.0.0.0');
    expect(await failureOf(elsewhere)).toMatchObject({ kind: 'temporary', code: 'ETLS' });
    expect(commands.join('')).not.toMatch(/AUTH|s3cret/);
  });
});
