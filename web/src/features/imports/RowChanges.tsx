import type { StagedRow } from '@tenure/contract';
import { Day } from '../../ui/Dates.tsx';
import { useWrittenRoles } from '../../ui/role-name.ts';
import { isImportField } from './fields.ts';
import { useChoiceNames } from './use-choice-names.ts';
import { useFieldName } from './use-field-name.ts';

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) || '–' : '–';

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** What an update changes, field by field. */
export function RowChanges({ changes }: { changes: NonNullable<StagedRow['changes']> }) {
  const names = useFieldName();
  const roles = useWrittenRoles();
  const choices = useChoiceNames();
  return Object.entries(changes).map(([field, { from, to }]) => {
    const shown = (value: unknown) => {
      const text = plain(value);
      if (field === 'role') return roles(text);
      return isDay(text) ? <Day value={text} /> : (choices(field, text) ?? text);
    };
    return (
      <li key={field}>
        {isImportField(field) ? names(field) : field}: <bdi>{shown(from)}</bdi> → <bdi>{shown(to)}</bdi>
      </li>
    );
  });
}
