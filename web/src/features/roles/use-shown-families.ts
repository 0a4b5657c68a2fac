import type { PermissionRow } from '@tenure/contract';
import { usePermissionGroup, usePermissionLabel } from '../../ui/permission-labels.ts';
import { usePermissionContents } from '../../ui/permission-contents.ts';
import { familiesOf, type Family } from './families.ts';

export type ShownFamily = Family & {
  /** The permissions to show; the others still belong to the family. */
  shown: readonly PermissionRow[];
};

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The families and permissions that match a text, by label, API name or the fields that a permission shows. */
export function useShownFamilies(catalogue: readonly PermissionRow[], find: string | undefined): ShownFamily[] {
  const label = usePermissionLabel();
  const group = usePermissionGroup();
  const contents = usePermissionContents();
  const words = plain(find ?? '').split(/\s+/);
  const matches = (one: PermissionRow) => {
    const text = plain(`${group(one.group)} ${label(one)} ${one.name} ${contents(one).join(' ')}`);
    return words.every((word) => text.includes(word));
  };
  return familiesOf(catalogue)
    .map((family) => ({ ...family, shown: family.permissions.filter(matches) }))
    .filter(({ shown }) => shown.length > 0);
}
