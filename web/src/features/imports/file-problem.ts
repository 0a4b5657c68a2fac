/** The limits of the service, so that a file it would refuse is not sent first. */
const mostBytes = 50 * 1_048_576;

/** Why a file cannot be imported, as far as its name and size tell. */
export function fileProblem({ name, size }: Pick<File, 'name' | 'size'>): 'kind' | 'empty' | 'size' | undefined {
  if (!/\.(csv|xlsx)$/i.test(name)) return 'kind';
  if (size === 0) return 'empty';
  return size > mostBytes ? 'size' : undefined;
}
