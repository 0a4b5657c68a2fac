import type { Letterhead } from '../brand/read.ts';
import type { Sheet } from './sheet.ts';

/** The letterhead of a company as the head and the foot of a document: letters, records and evaluations share it. */
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
