import type { Brand, BrandSettings } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Selectable } from 'kysely';
import { allColumns } from '../db/all-columns.ts';
import type { Db } from '../db/connect.ts';
import type { Brands } from '../db/schema.ts';
import type { FileStore } from '../files/store.ts';
import { FileReply } from '../http/context.ts';
import type { Deps, RequestInfo } from '../http/context.ts';
import { notFound } from '../http/errors.ts';

export type StoredBrand = Selectable<Brands>;
type StoredLogo = Pick<StoredBrand, 'logo_checksum' | 'logo_width' | 'logo_height' | 'entity_id'>;

const pathOf = (entityId: number | null) =>
  entityId === null ? '/api/brand/logo' : `/api/entities/${entityId}/brand/logo`;

/** The logo as the application shows it; its URL changes with its content. */
export function logoOf({ entity_id, logo_checksum, logo_width, logo_height }: StoredLogo): Brand['logo'] {
  if (logo_checksum === null || logo_width === null || logo_height === null) return null;
  return { url: `${pathOf(entity_id)}?v=${logo_checksum}`, width: logo_width, height: logo_height };
}

export const shownOf = (row: Pick<StoredBrand, 'name' | 'accent'> & StoredLogo): Brand => ({
  name: row.name,
  accent: row.accent,
  logo: logoOf(row),
});

export const settingsOf = (row: StoredBrand & { updated_at: string }): BrandSettings => ({
  ...shownOf(row),
  revision: row.revision,
  updated_at: row.updated_at,
});

const isOf = (entityId: number | null): RawBuilder<SqlBool> =>
  entityId === null ? sql<SqlBool>`b.entity_id is null` : sql<SqlBool>`b.entity_id = ${entityId}`;

/** The brand that is set for a company, or for the installation if `entityId` is null. */
export async function findBrand(db: Db, entityId: number | null, { lock = false } = {}) {
  const { rows } = await sql<StoredBrand & { updated_at: string }>`
    select ${allColumns('brands', 'b')} from brands b where ${isOf(entityId)} ${lock ? sql`for update` : sql``}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** The brand of the installation. */
export const installationBrand = async (db: Db): Promise<Brand> => shownOf(await findBrand(db, null));

/** What people of a company see: its brand, completed by that of the installation. */
export async function effectiveBrand(db: Db, entityId: number | null): Promise<Brand> {
  const { rows } = await sql<StoredBrand>`
    select ${allColumns('brands', 'b')} from brands b where b.entity_id is null or b.entity_id = ${entityId}
    order by b.entity_id nulls last`.execute(db);
  const shown = rows.map(shownOf);
  const first = <K extends keyof Brand>(name: K) => shown.find((one) => one[name] !== null)?.[name] ?? null;
  return { name: first('name'), accent: first('accent'), logo: first('logo') };
}

/** The header and footer of a company's letters. */
export type Letterhead = {
  name: string;
  /** `#rrggbb`; null for Tenure's own colour. */
  accent: string | null;
  /** PNG. */
  logo: { bytes: Buffer; width: number; height: number } | null;
  /** Several lines. */
  address: string | null;
  registration: string | null;
  footer: string | null;
};

type LetterheadRow = Omit<Letterhead, 'logo'> & {
  logo_key: string | null;
  logo_width: number | null;
  logo_height: number | null;
};

/** The content of a logo, or null where the store has lost it. */
export async function logoBytes(files: FileStore, key: string): Promise<Buffer | null> {
  const found = await files.open(key);
  return found && Buffer.concat(await Array.fromAsync(found.stream as AsyncIterable<Buffer>));
}

/**
 * A company's letterhead: its own name, address and registration, and the installation's logo and colour if it has
 * none. Throws 404 for an unknown company.
 */
export async function letterheadOf({ db, files }: Pick<Deps, 'files'> & { db: Db }, entityId: number) {
  const { rows } = await sql<LetterheadRow>`
    select coalesce(b.name, e.name) as name, coalesce(b.accent, i.accent) as accent,
           coalesce(b.letter_address, e.address) as address, b.letter_footer as footer,
           coalesce(b.letter_registration, concat_ws(' · ', e.registration_number, e.tax_number)) as registration,
           logo.logo_key, logo.logo_width, logo.logo_height
    from entities e
    join brands b on b.entity_id = e.id
    join brands i on i.entity_id is null
    join brands logo on logo.id = case when b.logo_key is null then i.id else b.id end
    where e.id = ${entityId}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  const { logo_key, logo_width, logo_height, ...head } = row;
  const bytes = logo_key === null ? null : await logoBytes(files, logo_key);
  return {
    ...head,
    registration: head.registration === '' ? null : head.registration,
    logo: bytes && { bytes, width: logo_width ?? 0, height: logo_height ?? 0 },
  } satisfies Letterhead;
}

/** The logo as a file that browsers cache: forever under the URL with its checksum. Throws 404 without a logo. */
export async function logoReply(
  { deps, request }: { deps: Pick<Deps, 'files'>; request: Pick<RequestInfo, 'url'> },
  { logo_key, logo_checksum }: StoredBrand,
  scope: 'public' | 'private',
): Promise<FileReply> {
  const found = logo_key === null ? null : await deps.files.open(logo_key);
  if (!found || logo_checksum === null) throw notFound();
  const version = new URL(request.url, 'http://local').searchParams.get('v');
  const cache = { etag: `"${logo_checksum}"`, scope, isFinal: version === logo_checksum };
  return new FileReply({ ...found, mime_type: 'image/png', name: 'logo.png', cache });
}
