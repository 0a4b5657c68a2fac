import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fileLimits, tooLarge } from '../files/limits.ts';
import type { FileUse } from '../files/limits.ts';
import { TooLarge } from '../files/incoming.ts';
import type { Received } from '../files/incoming.ts';
import type { FileStore } from '../files/store.ts';
import { startSha256 } from '../crypto/crypto.ts';
import { badRequest, bodyTooLarge, requestTimeout, say } from './errors.ts';
import { readFields, readForm as readUrlencoded, isForbiddenKey, readJson, readJsonPart } from './input.ts';
import type { Input } from './input.ts';

const kilobyte = 1_024;
const plainLimit = 1_024 * kilobyte;
/** The seconds that a body without a file may take. */
export const plainSeconds = 30;
const maxFields = 200;
const maxFieldBytes = 64 * kilobyte;

export type Upload = Received & { file_name: string };

/** A parsed body: its input, its file, and a hash that tells whether a repeat has the same content. */
export type Body = {
  input: Input;
  file: Upload | null;
  hash: string;
  /** Form fields that claim to be JSON but are not. */
  malformed: readonly string[];
};

/** The body of a request that has none. */
export const noBody: Body = { input: {}, file: null, hash: startSha256().digest('hex'), malformed: [] };

const isMultipart = ({ headers }: IncomingMessage) =>
  /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');

/** The most bytes an endpoint accepts: 1 MiB, plus the size of its file. */
export const bodyLimit = (request: IncomingMessage, use: FileUse | undefined) =>
  isMultipart(request) ? (use ? fileLimits[use].bytes : 0) + plainLimit : plainLimit;

const fileTooLarge = (use: FileUse) => bodyTooLarge({ file: [say('file', tooLarge(fileLimits[use].bytes))] });

/** Refuses a body whose declared length exceeds the limit, before a byte of it is read. */
export function checkDeclaredLength(
  request: IncomingMessage,
  { upload: use, bodyBytes }: { upload?: FileUse | undefined; bodyBytes?: number },
) {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > (bodyBytes ?? bodyLimit(request, use)))
    throw use && isMultipart(request) ? fileTooLarge(use) : bodyTooLarge();
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // a refusal must leave the connection open for its response
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > plainLimit) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Gives up on a body without files after this time; uploads have the server's own limit. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(requestTimeout()), plainSeconds * 1_000);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Field = readonly [name: string, value: string, type?: string];

type Parts = { fields: Field[]; stream: Readable | null; upload: Promise<Upload | null> | null };

const isBrokenOff = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Stores the file; null if the form ended inside it, because a partial file is useless. */
async function receiveFile(stream: Readable, fileName: string, use: FileUse, store: FileStore): Promise<Upload | null> {
  try {
    return { ...(await store.receive(stream, { maxBytes: fileLimits[use].bytes })), file_name: fileName };
  } catch (error) {
    if (error instanceof TooLarge) throw fileTooLarge(use);
    if (isBrokenOff(error)) return null;
    throw error;
  }
}

/** Calls `refuse` once more than `limit` bytes have passed. */
function countTo(limit: number, refuse: () => void) {
  let size = 0;
  return (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) refuse();
  };
}

const isJson = (type = '') => /^application\/([\w.-]+\+)?json\b/i.test(type);

/** Passes on the text of a part that is not a file, unless it is too long for a field. */
function collect(stream: Readable, refuse: () => void, give: (text: string) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', countTo(maxFieldBytes, refuse));
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
  stream.on('end', () => give(Buffer.concat(chunks).toString('utf8')));
}

/** The fields of a form; a part with a JSON type becomes the value it encodes. */
function readParts(fields: readonly Field[]): Pick<Body, 'input' | 'malformed'> {
  const [typed, plain] = [fields.filter(([, , type]) => isJson(type)), fields.filter(([, , type]) => !isJson(type))];
  const input = readFields(plain.map(([name, value]) => [name, value] as const));
  const malformed: string[] = [];
  for (const [name, text] of typed) {
    const value = readJsonPart(text);
    if (value === undefined) malformed.push(name);
    else if (!isForbiddenKey(name)) input[name] = value;
  }
  return { input, malformed };
}

type Parser = InstanceType<typeof Busboy>;

/** A parser for the form, or undefined if its type has no valid boundary. */
function openParser({ headers }: IncomingMessage): Parser | undefined {
  try {
    return new Busboy({
      headers: headers as { 'content-type': string },
      limits: { fields: maxFields, fieldSize: maxFieldBytes, files: 1, fieldNameSize: 200, parts: maxFields + 1 },
    });
  } catch {
    return undefined;
  }
}

type Form = { request: IncomingMessage; parser: Parser; use: FileUse | undefined; store: FileStore };

function parseParts({ request, parser, use, store }: Form, parts: Parts): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(bodyTooLarge());
    parser.on('field', (name, value, nameCut, valueCut, _encoding, type) => {
      if (nameCut || valueCut) refuse();
      parts.fields.push([name, value, type]);
    });
    parser.on('file', (name, stream, fileName, _encoding, type) => {
      // A form that ends inside its file reports it here, and then ends the stream as if the file were complete.
      stream.on('error', () => stream.destroy());
      const isWanted = name === 'file' || (name === 'image' && use === 'signature');
      if (!isWanted && isJson(type)) {
        // browsers send every typed part like a file
        collect(stream, refuse, (value) => parts.fields.push([name, value, type]));
        return;
      }
      if (!isWanted || !use || parts.upload) {
        stream.resume();
        return;
      }
      parts.stream = stream;
      parts.upload = receiveFile(stream, fileName ?? '', use, store);
      parts.upload.catch(reject);
    });
    parser.on('fieldsLimit', refuse);
    parser.on('filesLimit', refuse);
    parser.on('partsLimit', refuse);
    parser.on('finish', resolve);
    parser.on('error', () => resolve());
    request.on('aborted', () => reject(badRequest()));
    request.on('data', countTo(bodyLimit(request, use), refuse));
    request.pipe(parser);
  });
}

async function readForm(form: Form): Promise<Body> {
  const { request, store } = form;
  const parts: Parts = { fields: [], stream: null, upload: null };
  try {
    await parseParts(form, parts);
    const file = await parts.upload;
    const { input, malformed } = readParts(parts.fields);
    const hash = startSha256()
      .update(JSON.stringify([parts.fields, file?.sha256]))
      .digest('hex');
    return { input, file, hash, malformed };
  } catch (error) {
    request.unpipe();
    // The parser leaves the file open when it ends early: its reader would wait forever.
    parts.stream?.destroy();
    const received = await parts.upload?.catch(() => null);
    if (received) await store.discard(received);
    throw error;
  }
}

/** Reads a whole body; `parse` interprets its bytes. */
async function readPlain(request: IncomingMessage, parse: (bytes: Buffer) => Input): Promise<Body> {
  const bytes = await inTime(readBytes(request)).catch((error: unknown) => {
    throw request.readableAborted ? badRequest() : error;
  });
  const hash = startSha256().update(bytes).digest('hex');
  return { input: parse(bytes), file: null, hash, malformed: [] };
}

const noInput = () => ({});

/** Reads a form with a file; without a valid boundary in its type, it has no input. */
export function readMultipart(request: IncomingMessage, use: FileUse | undefined, store: FileStore): Promise<Body> {
  const parser = openParser(request);
  return parser ? readForm({ request, parser, use, store }) : readPlain(request, noInput);
}

type Read = (request: IncomingMessage, asked: FastifyRequest) => Promise<Body>;

/** What Fastify accepts as a content type; it answers anything else itself. */
const mediaType = /^[\w.+-]+\/[\w.+-]+\s*(;|$)/;
const jsonType = /^[^;]*[/+]json\s*(;|$)/i;

/**
 * Reads bodies by their type. Anything but a JSON object or a form counts as empty input, so that the endpoint's own
 * rules answer; only size and time are refused here. `useOf` returns the kind of file that the request may carry.
 */
export function bindBodies(
  app: FastifyInstance,
  store: FileStore,
  useOf: (request: FastifyRequest) => FileUse | undefined,
): void {
  app.removeAllContentTypeParsers();
  const add = (type: string | RegExp, read: Read) =>
    app.addContentTypeParser(type, (asked: FastifyRequest, payload: IncomingMessage) => {
      const { 'content-encoding': encoding = 'identity' } = payload.headers;
      const isPlain = encoding.trim().toLowerCase() === 'identity';
      // thrown by the handler, because Fastify closes the connection after a parser's error
      return (isPlain ? read(payload, asked) : readPlain(payload, noInput)).catch((error: unknown) => error);
    });
  add(jsonType, (request) => readPlain(request, readJson));
  add('application/x-www-form-urlencoded', (request) =>
    readPlain(request, (bytes) => readUrlencoded(bytes.toString('utf8'))),
  );
  add('multipart/form-data', (request, asked) => readMultipart(request, useOf(asked), store));
  add('*', (request) => readPlain(request, noInput));
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { headers } = request.raw;
    const { 'content-type': type } = headers;
    if (type !== undefined && !mediaType.test(type))
      headers['content-type'] = jsonType.test(type) ? 'application/json' : undefined;
    done(null, payload);
  });
}
