/** Why a file cannot be imported, as far as its name and size tell. */
export function fileProblem(
  { name, size }: Pick<File, 'name' | 'size'>,
  mostMegabytes: number,
): 'kind' | 'empty' | 'size' | undefined {
  if (!/\.(csv|xlsx)$/i.test(name)) return 'kind';
  if (size === 0) return 'empty';
  return size > mostMegabytes * 1_048_576 ? 'size' : undefined;
}
