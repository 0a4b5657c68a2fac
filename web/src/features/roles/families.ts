import { adminOnlyPermissions, type PermissionRow, type Role } from '@tenure/contract';

export type Family = { group: string; permissions: readonly PermissionRow[] };
type Held = ReadonlySet<string>;

export const presets = ['none', 'view', 'full', 'custom'] as const;
export type Preset = (typeof presets)[number];

/** The role that holds everything and is as it is. */
export const isAdmin = ({ is_system, name }: Pick<Role, 'is_system' | 'name'>) => is_system && name === 'Admin';

/** A permission that no role but Admin may hold. */
export const isReserved = (name: string) => (adminOnlyPermissions as readonly string[]).includes(name);

/** The permissions by what they are about, in the order of the catalogue. */
export function familiesOf(catalogue: readonly PermissionRow[]): Family[] {
  const groups = [...new Set(catalogue.map(({ group }) => group))];
  return groups.map((group) => ({ group, permissions: catalogue.filter((one) => one.group === group) }));
}

const viewOf = ({ group, permissions }: Family) => permissions.find(({ name }) => name === `${group}.view`)?.name;
const open = ({ permissions }: Family) => permissions.map(({ name }) => name).filter((name) => !isReserved(name));

/** What a role may hold of a family at one choice; undefined where the family has no such choice. */
function setOf(family: Family, preset: Preset): readonly string[] | undefined {
  const view = viewOf(family);
  if (preset === 'none') return [];
  if (preset === 'full') return open(family);
  return preset === 'view' && view !== undefined && open(family).length > 1 ? [view] : undefined;
}

/** The choices there are for a family, but for the free one. */
export const presetsOf = (family: Family): Preset[] =>
  presets.filter((preset) => setOf(family, preset) !== undefined && (preset !== 'full' || open(family).length > 0));

/** The choice that a role has made for a family. */
export function presetOf(family: Family, held: Held): Preset {
  const inside = family.permissions.map(({ name }) => name).filter((name) => held.has(name));
  const isIt = (preset: Preset) => {
    const names = setOf(family, preset);
    return names?.length === inside.length && names.every((name) => held.has(name));
  };
  return presetsOf(family).find(isIt) ?? (inside.length === family.permissions.length ? 'full' : 'custom');
}

/** The names that change when a choice is made for a family, and to what. */
export function choosing(family: Family, preset: Preset): ReadonlyMap<string, boolean> {
  const wanted = new Set(setOf(family, preset));
  return new Map(open(family).map((name) => [name, wanted.has(name)]));
}

/**
 * The names that change when one permission is given or taken: whoever may change something may see it, so that the
 * first gives the view with it and the last takes everything else.
 */
export function ticking(family: Family, name: string, on: boolean): ReadonlyMap<string, boolean> {
  const view = viewOf(family);
  if (view === undefined) return new Map([[name, on]]);
  if (!on && name === view) return new Map(open(family).map((one) => [one, false]));
  return new Map([[name, on], ...(on ? [[view, true] as const] : [])]);
}
