import type { Config } from '../config.ts';

type Addresses = Pick<Config, 'DATABASE_URL' | 'DATABASE_MIGRATION_URL' | 'DATABASE_DIRECT_URL'>;

/** The addresses of an external database; undefined for the embedded one. The owner's bypasses a pooler. */
export function externalAddresses({ DATABASE_URL, DATABASE_MIGRATION_URL, DATABASE_DIRECT_URL }: Addresses) {
  if (!DATABASE_URL) return undefined;
  const directUrl = DATABASE_DIRECT_URL ?? DATABASE_URL;
  return { appUrl: DATABASE_URL, directUrl, ownerUrl: DATABASE_MIGRATION_URL ?? directUrl };
}
