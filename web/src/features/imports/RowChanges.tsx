import type { StagedRow } from '@tenure/contract';
import { useWrittenRoles } from '../../ui/role-name.ts';
import { isImportField } from './fields.ts';
import { useFieldName } from './use-field-name.ts';

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) || '–' : '–';

/** What an update changes, field by field. */
export function RowChanges({ changes }: { changes: NonNullable<StagedRow['changes']> }) {
  const names = useFieldName();
  const roles = useWrittenRoles();
  return Object.entries(changes).map(([field, { from, to }]) => {
    const shown = (value: unknown) => (field === 'role' ? roles(plain(value)) : plain(value));
    return (
      <li key={field}>
        {isImportField(field) ? names(field) : field}: <bdi>{shown(from)}</bdi> → <bdi>{shown(to)}</bdi>
      </li>
    );
  });
}
