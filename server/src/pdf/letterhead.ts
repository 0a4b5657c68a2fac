import type { Letterhead } from '../brand/read.ts';
import type { Sheet } from './sheet.ts';

/** A company's letterhead as the header and footer of documents: letters, records and evaluations share it. */
export const letterheadParts = ({
  name,
  address,
  logo,
  accent,
  registration,
  footer,
}: Letterhead): Required<Pick<Sheet, 'head' | 'foot'>> => ({
  head: { name, address, logo, accent },
  foot: [registration, footer].filter((text) => text !== null),
});
