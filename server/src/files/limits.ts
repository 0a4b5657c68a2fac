const KB = 1_024;
const MB = 1_024 * KB;

/** Every kind of file the service takes, by extension, with the type it is sent back as. */
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

export type FileUse = {
  title: string;
  types: readonly FileExtension[];
  max_bytes: number;
};

const papers = ['pdf', 'png', 'jpg', 'jpeg', 'webp', 'docx', 'xlsx', 'csv'] as const;
const tables = ['csv', 'xlsx'] as const;

/** What a file may be, by what it is for. */
export const fileUses = {
  attachment: { title: 'Employee attachment', types: papers, max_bytes: 10 * MB },
  evidence: { title: 'KPI evidence', types: papers, max_bytes: 10 * MB },
  picture: { title: 'Profile picture', types: ['png', 'jpg', 'jpeg', 'webp'], max_bytes: 2 * MB },
  signature: { title: 'Drawn signature', types: ['png'], max_bytes: 200 * KB },
  import: { title: 'Employee import', types: tables, max_bytes: 50 * MB },
  template_import: { title: 'KPI template import', types: tables, max_bytes: 5 * MB },
} as const satisfies Record<string, FileUse>;

/** What all files of one person together may come to. */
export const filesPerEmployee = { files: 200, bytes: 500 * MB };

/** What a table may hold once it is read. */
export const tableLimits = {
  import: { rows: 200_000, columns: 200 },
  template_import: { rows: 5_000, columns: 200 },
  /** The parts of an XLSX file when unpacked: in total, and per packed byte after the first MB. */
  unpacked: { bytes: 256 * MB, ratio: 100 },
};

/** The refusal of a file whose name or content is none of the types of its use. */
export const wrongType = ({ types }: FileUse) => `The :attribute field must be a file of type: ${types.join(', ')}.`;

/** The refusal of a file above `bytes`. */
export const tooLarge = (bytes: number) =>
  `The :attribute field must not be greater than ${Math.floor(bytes / KB)} kilobytes.`;
