import { sql } from 'kysely';
import { Readable } from 'node:stream';
import type { Db } from '../db/connect.ts';
import { storedFileName } from '../files/names.ts';
import { FileReply } from '../http/context.ts';

/** The company that issues a document, and the time of printing. */
export type Issuer = {
  company: string;
  country: string | null;
  timezone: string;
  now: string;
};

export async function issuerOf(db: Db, entityId: number): Promise<Issuer> {
  const { rows } = await sql<Issuer>`
    select name as company, country, timezone, now() as now from entities where id = ${entityId}`.execute(db);
  return rows[0] as Issuer;
}

/** A finished document as a download with this name. */
export const pdfReply = (pdf: Uint8Array, name: string): FileReply =>
  new FileReply({
    stream: Readable.from([Buffer.from(pdf)]),
    size: pdf.byteLength,
    mime_type: 'application/pdf',
    name: storedFileName(`${name}.pdf`.replaceAll(/[/\\]/g, '-')),
  });
