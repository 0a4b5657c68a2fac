/** Why the service would refuse a file, checked by name and size. */
export function fileProblem(
  { name, size }: Pick<File, 'name' | 'size'>,
  maxMegabytes: number,
  isArchive = false,
): 'kind' | 'xls' | 'zip' | 'empty' | 'size' | undefined {
  if (isArchive && !/\.zip$/i.test(name)) return 'zip';
  if (!isArchive && /\.xls$/i.test(name)) return 'xls';
  if (!isArchive && !/\.(csv|txt|xlsx)$/i.test(name)) return 'kind';
  if (size === 0) return 'empty';
  return size > maxMegabytes * 1_048_576 ? 'size' : undefined;
}
