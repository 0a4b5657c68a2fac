const MB = 1_024 * 1_024;

/** What a file that people add by hand may be, by what it is for: the endings of its name, and its size in bytes. */
export const uploadLimits = {
  attachment: { types: ['pdf', 'png', 'jpg', 'jpeg', 'webp', 'docx', 'xlsx', 'csv'], bytes: 10 * MB },
  logo: { types: ['png', 'jpg', 'jpeg'], bytes: 2 * MB },
  picture: { types: ['png', 'jpg', 'jpeg', 'webp'], bytes: 2 * MB },
} as const;

/** An export or a sample, by the ending of its name. */
export const tables = ['csv', 'xlsx'] as const;
