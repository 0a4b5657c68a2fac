import { actionableKinds } from '@tenure/contract';
import type { Endpoint } from '@tenure/contract';
import { allEndpoints } from '../access/matrix.ts';
import type { PlantedIds } from '../testing/canaries.ts';
import type { Reader } from '../testing/canary-readers.ts';

/** Shared by the sweeps: the relationships of the readers and the addresses of all planted records. */

export const allHr: Reader[] = ['northHr', 'hr', 'admin'];
/** HR of the people, including through a department above theirs. */
export const peopleHr: Reader[] = ['officeHr', ...allHr];
export const personAndHr: Reader[] = ['self', ...peopleHr];
export const managers: Reader[] = ['manager', 'head', 'lead'];
export const ofThePeople: Reader[] = ['self', ...managers, 'chief', 'managedExporter', ...peopleHr];
export const ofTheEvaluation: Reader[] = ['self', ...managers, 'chief', 'managedFinance', 'onlooker', ...peopleHr];
export const reviewerAndHr: Reader[] = ['manager', ...peopleHr];
export const southern: Reader[] = ['southHr', 'hr', 'admin'];

/** Every endpoint with GET, except streams. */
export const readEndpoints = allEndpoints.filter(({ method, stream }) => method === 'GET' && !stream);
const kinds = ['confirmation', 'extension', 'termination', 'record'];

/** The tasks that the first records of each kind may have. */
function tasksOf(records: PlantedIds): string[] {
  const subjects = { kpi: 'kpi-evaluations', probation: 'probation-reviews', employee: 'employees' } as const;
  return actionableKinds.flatMap((kind) => {
    const [sort = ''] = kind.split('_');
    const ids = kind.endsWith('_to_close') ? records['kpi-cycles'] : records[subjects[sort as keyof typeof subjects]];
    return (ids ?? []).slice(0, 2).map((id) => `${kind}:${id}`);
  });
}

/** The ids for a path parameter. */
function valuesOf(ids: PlantedIds, path: string, name: string): readonly (string | number)[] {
  if (name !== 'id') return name === 'kind' ? kinds : (ids[name] ?? [1]);
  if (path.startsWith('/actionable-items/')) return tasksOf(ids);
  if (path.includes('/imports/')) return ids.imports ?? [];
  return ids[path.split('/')[1] ?? ''] ?? [1];
}

/** Every path of an endpoint with the ids of planted records. */
export function pathsOf({ path }: Endpoint, ids: PlantedIds): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const [last] = names.toReversed();
  return names.reduce<string[]>(
    (paths, name) =>
      paths.flatMap((one) => {
        // nested records were planted below the first of their kind
        const values = name === last ? valuesOf(ids, path, name) : valuesOf(ids, path, name).slice(0, 1);
        return values.map((value) => one.replace(`:${name}`, String(value)));
      }),
    [path],
  );
}
