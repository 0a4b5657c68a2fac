import { tables, uploadLimits } from '@tenure/contract';

const KB = 1_024;
const MB = 1_024 * KB;

/** Every kind of file the service takes or gives out, by the ending of its name, with its media type. */
export const fileTypes = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const;

export type FileExtension = keyof typeof fileTypes;

type FileLimit = {
  title: string;
  types: readonly FileExtension[];
  bytes: number;
};

/** What a file may be, by what it is for. */
export const fileLimits = {
  attachment: { title: 'Employee attachment', ...uploadLimits.attachment },
  evidence: { title: 'KPI evidence', ...uploadLimits.attachment },
  picture: { title: 'Profile picture', ...uploadLimits.picture },
  signature: { title: 'Drawn signature', types: ['png'], bytes: 200 * KB },
  import: { title: 'Employee import', types: tables, bytes: 50 * MB },
  template_import: { title: 'KPI template import', types: tables, bytes: 5 * MB },
} as const satisfies Record<string, FileLimit>;

export type FileUse = keyof typeof fileLimits;

/** What all files of one person together may come to. */
export const filesPerEmployee = { files: 200, bytes: 500 * MB };

/** How many pieces of evidence an evaluation may have, and each of its items. */
export const evidencePer = { evaluation: 50, item: 10 };

/** What a table may hold once it is read. */
export const tableLimits = {
  import: { rows: 200_000, columns: 200 },
  template_import: { rows: 5_000, columns: 200 },
  /** The parts of an XLSX file when unpacked: in total, and per packed byte after the first MB. */
  unpacked: { bytes: 256 * MB, ratio: 100 },
};

/** The refusal of a file whose name or content is none of the types of its use. */
export const wrongType = (use: FileUse) =>
  `The :attribute field must be a file of type: ${fileLimits[use].types.join(', ')}.`;

/** The refusal of a file above `bytes`. */
export const tooLarge = (bytes: number) =>
  `The :attribute field must not be greater than ${Math.floor(bytes / KB)} kilobytes.`;
