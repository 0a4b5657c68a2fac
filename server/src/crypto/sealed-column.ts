import type { KeyRing } from './keys.ts';
import { openText, sealText } from './sealed-text.ts';
import type { Context, Opened } from './sealed-text.ts';

/** Where a sealed value is stored. It does not open in another table, column or row. */
export type ColumnPlace = { table: string; column: string; id: number };

const contextOf =
  ({ table, column, id }: ColumnPlace): Context =>
  (kid) => ['1', 'secrets', kid, table, column, id];

/** Seals the secret of a row as `1.<kid>.<base64url(salt ‖ ciphertext ‖ tag)>` under the current key. */
export const sealSecret = (ring: KeyRing, place: ColumnPlace, secret: Uint8Array): string =>
  sealText(ring, 'secrets', contextOf(place), secret);

/** The secret of a row; null if its key is gone, it was changed, or it comes from another place. Never throws. */
export const openSecret = (ring: KeyRing, place: ColumnPlace, sealed: string): Opened | null =>
  openText(ring, 'secrets', contextOf(place), sealed);
