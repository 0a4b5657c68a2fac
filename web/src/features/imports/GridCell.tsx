import { TextInput } from '@mantine/core';
import { employeeImports, type StagedRow } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { importFields, plainField, type ImportField } from './fields.ts';
import classes from './imports.module.css';

type Props = {
  id: number;
  row: StagedRow;
  field: string;
  /** Hears of a mended cell; without it the cell is only read. */
  onMended: ((row: StagedRow) => void) | undefined;
};

/** A cell of the file: text; where its row failed, a field that is checked again when it is left or Enter is pressed. */
export function GridCell({ id, row, field, onMended }: Props) {
  const cellName = Object.keys(row.cells ?? {}).find((name) => plainField(name) === field) ?? field;
  const text = row.cells?.[cellName] ?? '';
  const errors = Object.entries(row.errors)
    .filter(([name]) => plainField(name) === field)
    .flatMap(([, messages]) => messages);
  if (row.status !== 'failed' || !onMended) return <bdi className={classes['cell']}>{text}</bdi>;
  return (
    <CellInput
      key={text}
      id={id}
      row={row}
      field={field}
      cellName={cellName}
      text={text}
      error={errors.join(' ')}
      onMended={onMended}
    />
  );
}

type InputProps = Omit<Props, 'onMended'> & {
  cellName: string;
  text: string;
  error: string;
  onMended: (row: StagedRow) => void;
};

function CellInput({ id, row, field, cellName, text, error, onMended }: InputProps) {
  const t = useTranslations('imports');
  const names = useTranslations('importField');
  const [value, setValue] = useState(text);
  const fix = useSend(employeeImports.fixRow);
  const save = () => {
    if (value.trim() === text || fix.isPending) return;
    fix.mutate(
      { params: { id, row: row.row }, body: { cells: { [cellName]: value.trim() } } },
      { onSuccess: ({ data }) => onMended(data) },
    );
  };
  const name = (importFields as readonly string[]).includes(field) ? names(field as ImportField) : field;
  const refused = fix.error?.message;
  return (
    <TextInput
      className={classes['cellInput']}
      size="xs"
      aria-label={t('cell', { field: name, row: row.row })}
      value={value}
      disabled={fix.isPending}
      onChange={(event) => setValue(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key === 'Escape') setValue(text);
      }}
      error={refused ?? (error || null)}
    />
  );
}
