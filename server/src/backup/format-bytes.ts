const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Bytes as a person reads them. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${units[power]}`;
}
