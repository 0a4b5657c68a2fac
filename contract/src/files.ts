const MB = 1_024 * 1_024;

/** The accepted files that people add by hand, by use: their extensions, and their size in bytes. */
export const uploadLimits = {
  attachment: { types: ['pdf', 'png', 'jpg', 'jpeg', 'webp', 'docx', 'xlsx', 'csv'], bytes: 10 * MB },
  logo: { types: ['png', 'jpg', 'jpeg'], bytes: 2 * MB },
  picture: { types: ['png', 'jpg', 'jpeg', 'webp'], bytes: 2 * MB },
} as const;

/** The formats of exports and samples, by extension. */
export const tables = ['csv', 'xlsx'] as const;
