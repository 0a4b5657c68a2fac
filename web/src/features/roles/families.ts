import { adminOnlyPermissions, type PermissionRow, type Role } from '@tenure/contract';

export type Family = { group: string; permissions: readonly PermissionRow[] };
type Held = ReadonlySet<string>;

export const presets = ['none', 'view', 'full', 'custom'] as const;
export type Preset = (typeof presets)[number];

/** The built-in role with all permissions, which cannot be changed. */
export const isAdmin = ({ is_system, name }: Pick<Role, 'is_system' | 'name'>) => is_system && name === 'Admin';

/** The key of the text about a role's scope: a role for managed people with the whole line has its own. */
export const scopeOf = ({ scope, managed_depth }: Pick<Role, 'scope' | 'managed_depth'>) =>
  managed_depth === 'tree' ? managed_depth : scope;

/** Is the permission reserved for Admin? */
export const isReserved = (name: string) => (adminOnlyPermissions as readonly string[]).includes(name);

/** The permissions by family, in the order of the catalogue. */
export function familiesOf(catalogue: readonly PermissionRow[]): Family[] {
  const groups = [...new Set(catalogue.map(({ group }) => group))];
  return groups.map((group) => ({ group, permissions: catalogue.filter((one) => one.group === group) }));
}

const viewOf = ({ group, permissions }: Family) => permissions.find(({ name }) => name === `${group}.view`)?.name;
const open = ({ permissions }: Family) => permissions.map(({ name }) => name).filter((name) => !isReserved(name));

/** The permissions of a preset; undefined if the family does not have it. */
function setOf(family: Family, preset: Preset): readonly string[] | undefined {
  const view = viewOf(family);
  if (preset === 'none') return [];
  if (preset === 'full') return open(family);
  return preset === 'view' && view !== undefined && open(family).length > 1 ? [view] : undefined;
}

/** The presets of a family, without "custom". */
export const presetsOf = (family: Family): Preset[] =>
  presets.filter((preset) => setOf(family, preset) !== undefined && (preset !== 'full' || open(family).length > 0));

/** The preset that matches a role's permissions in a family. */
export function presetOf(family: Family, held: Held): Preset {
  const inside = family.permissions.map(({ name }) => name).filter((name) => held.has(name));
  const isIt = (preset: Preset) => {
    const names = setOf(family, preset);
    return names?.length === inside.length && names.every((name) => held.has(name));
  };
  return presetsOf(family).find(isIt) ?? (inside.length === family.permissions.length ? 'full' : 'custom');
}

/** The permissions that change with a preset, and their new values. */
export function presetChanges(family: Family, preset: Preset): ReadonlyMap<string, boolean> {
  const wanted = new Set(setOf(family, preset));
  return new Map(open(family).map((name) => [name, wanted.has(name)]));
}

/**
 * The permissions that change when one is granted or revoked. A change permission needs the view permission: granting
 * the first grants the second, and revoking the second revokes all others.
 */
export function permissionChanges(family: Family, name: string, on: boolean): ReadonlyMap<string, boolean> {
  const view = viewOf(family);
  if (view === undefined) return new Map([[name, on]]);
  if (!on && name === view) return new Map(open(family).map((one) => [one, false]));
  return new Map([[name, on], ...(on ? [[view, true] as const] : [])]);
}
