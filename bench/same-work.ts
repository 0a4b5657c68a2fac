import type { Bench } from './bench.ts';
import { asked, minimal } from './rates.ts';
import type { Side } from './rates.ts';

const dataOf = async ({ url, headers }: Side): Promise<unknown> =>
  ((await (await fetch(url, { headers })).json()) as { data: unknown }).data;

/** The names of all fields, at any depth. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inside]) => fieldsOf(inside, `${path}.${name}`));
}

const idsOf = (data: unknown) => (data as { id: number }[]).map(({ id }) => id).join();
const namesOf = (data: unknown) => [...new Set(fieldsOf(data))].toSorted().join();

/**
 * Throws if the baseline handlers do other work than the service: different people, a different order, or a field that
 * only one of them sends. Their ratio would then be meaningless.
 */
export async function requireSameWork(bench: Bench): Promise<void> {
  for (const [path, view] of [
    ['/employees', idsOf],
    ['/employees', namesOf],
    ['/me', namesOf],
  ] as const) {
    const [ours, least] = [view(await dataOf(asked(bench, path))), view(await dataOf(minimal(bench, path)))];
    if (ours !== least) throw new Error(`bench/minimal.ts answers ${path} with ${least}, the service with ${ours}`);
  }
}
