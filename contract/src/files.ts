const MB = 1_024 * 1_024;

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

/** Media types of answers that are a table: an export or a sample. */
export const tableTypes = [fileTypes.csv, fileTypes.xlsx] as const;

/** What a file that people add by hand may be, by what it is for: the endings of its name, and its size in bytes. */
export const uploadLimits = {
  attachment: { types: ['pdf', 'png', 'jpg', 'jpeg', 'webp', 'docx', 'xlsx', 'csv'], bytes: 10 * MB },
  picture: { types: ['png', 'jpg', 'jpeg', 'webp'], bytes: 2 * MB },
} as const;

/** Media types of files that people added by hand, as they are given out again. */
export const uploadedTypes: readonly string[] = [
  ...new Set(uploadLimits.attachment.types.map((ending) => fileTypes[ending])),
];
