import { text as messageOf } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { visiblePeople } from '../../access/scope.ts';
import { quoted } from '../../quoted.ts';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { isName, managerKey, managerRow } from './file-keys.ts';
import type { FileKeys } from './file-keys.ts';
import { loadManagers } from './people.ts';
import type { KnownManager, Person } from './people.ts';

/** A visible person whose name the file uses for a manager. */
type Namesake = { id: number; entity_id: number; label: string };

/** The people whom the references of a file mean: by number, by address, or everyone with a name. */
export type Managers = {
  byKey: ReadonlyMap<string, KnownManager>;
  byName: ReadonlyMap<string, readonly Namesake[]>;
};

/** The visible people with these names who are not inactive. */
async function loadNamesakes(db: Db, actor: Actor, names: readonly string[]): Promise<Managers['byName']> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<Namesake & { ref: string }>`
    select wanted.ref, e.id, e.entity_id, e.employee_number || ' (' || d.name || ')' as label
    from unnest(${names}::text[]) as wanted (ref)
    join employees e on e.first_name_sort || ' ' || e.last_name_sort = wanted.ref
    join departments d on d.id = e.department_id
    where e.deleted_at is null and e.activity_status <> 'inactive' and ${visiblePeople(actor)}
    order by e.employee_number_sort, e.id`.execute(db);
  return Map.groupBy(rows, ({ ref }) => ref);
}

/** Reads the people whom references mean, in the importer's scope, with at most three statements. */
export async function findManagers(
  db: Db,
  actor: Actor,
  { refs, keys }: { refs: readonly string[]; keys: FileKeys },
): Promise<Managers> {
  const names = refs.filter(isName);
  // a person of the file may have got a record since, from an earlier batch
  const ofFile = names.flatMap((name) =>
    (keys.names.get(name) ?? []).flatMap(({ number, email }) => [number, email].filter((key) => key !== undefined)),
  );
  const direct = [...new Set([...refs.filter((ref) => !isName(ref)), ...ofFile])];
  return { byKey: await loadManagers(db, actor, direct), byName: await loadNamesakes(db, actor, names) };
}

type Known = { managers: Managers; keys: FileKeys };
type Found = { id: number | null } | { error: Text };

/** Longer texts are cut in messages. */
const maxNamed = 5;

/** The only person with a name: in the file and the row's company, else among all whom the importer sees. */
function byName({ managers, keys }: Known, key: string, text: string, entityId: number | undefined): Found {
  const found = new Map<number, { label: string; near: boolean }>();
  const namesakes = managers.byName.get(key) ?? [];
  for (const { id, entity_id, label } of namesakes) found.set(id, { label, near: entity_id === entityId });
  for (const { row, number, email, label } of keys.names.get(key) ?? []) {
    const known = managers.byKey.get(number ?? '') ?? managers.byKey.get(email ?? '');
    const id = known?.id ?? -row;
    found.set(id, { label: found.get(id)?.label ?? label, near: true });
    // more than messages name, and thousands of rows may have the same name
    if (found.size > namesakes.length + maxNamed) break;
  }
  const near = [...found].filter(([, one]) => one.near);
  const candidates = near.length > 0 ? near : [...found];
  const [only] = candidates;
  if (!only) return { error: messageOf('imports.no_manager', { name: quoted(text) }) };
  if (candidates.length === 1) return { id: only[0] };
  const labels = candidates.slice(0, maxNamed).map(([, { label }]) => label);
  const people = candidates.length > maxNamed ? [...labels, '…'] : labels;
  return { error: messageOf('imports.several_managers', { name: quoted(text), people: people.join(', ') }) };
}

/** The manager whom a text means: a number, else an address, else a full name. A new person has the id `-row`. */
export function findManagerOf(
  context: Known,
  text: string,
  { person, entityId }: { person: Person | undefined; entityId: number | undefined },
): Found {
  const { managers, keys } = context;
  const key = managerKey(text);
  if (isName(key)) return byName(context, key, text, entityId);
  if (person?.manager_number && fold(person.manager_number) === key) return { id: person.reporting_manager_id };
  const known = managers.byKey.get(key);
  if (known) return { id: known.id };
  const row = managerRow(keys, key);
  return row === undefined ? { error: messageOf('imports.no_manager', { name: quoted(text) }) } : { id: -row };
}
