import { SMTPServer } from 'smtp-server';

/** Starts a mail server that accepts everything; adds the subjects to the list that it returns. */
export async function startMailServer(host: string, port: number): Promise<string[]> {
  const subjects: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let source = '';
      stream.setEncoding('utf8').on('data', (text: string) => (source += text));
      stream.on('end', () => {
        subjects.push(/^Subject: (.*)$/m.exec(source)?.[1]?.trim() ?? '');
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return subjects;
}
