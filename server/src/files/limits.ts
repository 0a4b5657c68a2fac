import { tables, text, uploadLimits } from '@tenure/contract';

const KB = 1_024;
const MB = 1_024 * KB;

/** Every type of file the service accepts or sends, by extension, with its media type. */
export const fileTypes = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  zip: 'application/zip',
} as const;

export type FileExtension = keyof typeof fileTypes;

type FileLimit = {
  title: string;
  types: readonly FileExtension[];
  bytes: number;
};

/** The accepted types and size of a file by its use. */
export const fileLimits = {
  attachment: { title: 'Employee attachment', ...uploadLimits.attachment },
  evidence: { title: 'KPI evidence', ...uploadLimits.attachment },
  sheet: { title: 'Signed sheet of a probation review', ...uploadLimits.attachment },
  picture: { title: 'Profile picture', ...uploadLimits.picture },
  logo: { title: 'Logo', ...uploadLimits.logo },
  signature: { title: 'Drawn signature', types: ['png'], bytes: 200 * KB },
  import: { title: 'Employee import', types: tables, bytes: 50 * MB },
  template_import: { title: 'KPI template import', types: tables, bytes: 5 * MB },
  result_import: { title: 'Former results import', types: tables, bytes: 50 * MB },
  attachment_import: { title: 'Import of employee files', types: ['zip'], bytes: 200 * MB },
} as const satisfies Record<string, FileLimit>;

export type FileUse = keyof typeof fileLimits;

/** The limits for all files of one person together. */
export const filesPerEmployee = { files: 200, bytes: 500 * MB };

/** The limits for evidence files per evaluation and per item. */
export const evidencePer = { evaluation: 50, item: 10 };

/** The limits of a table once it is parsed. */
export const tableLimits = {
  import: { rows: 200_000, columns: 200 },
  template_import: { rows: 5_000, columns: 200 },
  result_import: { rows: 200_000, columns: 200 },
  /** The parts of an XLSX file when unpacked: in total, and per packed byte after the first MB. */
  unpacked: { bytes: 256 * MB, ratio: 100 },
};

/**
 * The limits of an archive of employee files: files, entries including folders, nesting of folders (each is read as a
 * number and as a category), and the size in total and per packed byte.
 */
export const archiveLimits = { files: 5_000, entries: 10_000, depth: 20, unpacked: 500 * MB, free: MB, ratio: 100 };

/** The refusal of a file whose name or content has a type that its use does not allow. */
export const wrongType = (use: FileUse) => text('validation.file_type', { types: fileLimits[use].types.join(', ') });

/** The refusal of a file larger than `bytes`. */
export const tooLarge = (bytes: number) => text('validation.kilobytes', { most: Math.floor(bytes / KB) });
