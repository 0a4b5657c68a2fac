import { TextInput } from '@mantine/core';
import { employeeImports, type StagedRow } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { isImportField, plainField } from './fields.ts';
import classes from './imports.module.css';

type Props = {
  id: number;
  row: StagedRow;
  field: string;
  /** Hears of a mended cell; without it the cell is only read. */
  onMended: ((row: StagedRow) => void) | undefined;
};

/** "Department, row 80" for assistive technology. */
function useFieldName() {
  const t = useTranslations('imports');
  const names = useTranslations('importField');
  return (field: string, row: number) => t('cell', { field: isImportField(field) ? names(field) : field, row });
}

/**
 * A cell of the file. Where its row failed it can be mended: what is wrong is a field at once, the rest becomes one when
 * it is chosen; leaving it or Enter checks the row again.
 */
export function GridCell({ id, row, field, onMended }: Props) {
  const cellName = Object.keys(row.cells ?? {}).find((name) => plainField(name) === field) ?? field;
  const text = row.cells?.[cellName] ?? '';
  const errors = Object.entries(row.errors)
    .filter(([name]) => plainField(name) === field)
    .flatMap(([, messages]) => messages);
  const [opened, setOpened] = useState(false);
  const names = useFieldName();
  if (row.status !== 'failed' || !onMended) return <bdi className={classes['cell']}>{text}</bdi>;
  if (errors.length === 0 && !opened)
    return (
      <button type="button" className={classes['cellButton']} onClick={() => setOpened(true)}>
        <span className="visually-hidden">{names(field, row.row)}: </span>
        <bdi>{text}</bdi>
      </button>
    );
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
  const names = useFieldName();
  const [value, setValue] = useState(text);
  const fix = useSend(employeeImports.fixRow);
  const save = () => {
    if (value.trim() === text || fix.isPending) return;
    fix.mutate(
      { params: { id, row: row.row }, body: { cells: { [cellName]: value.trim() } } },
      { onSuccess: ({ data }) => onMended(data) },
    );
  };
  const refused = fix.error?.message;
  return (
    <TextInput
      className={classes['cellInput']}
      size="xs"
      aria-label={names(field, row.row)}
      value={value}
      disabled={fix.isPending}
      onChange={(event) => setValue(event.currentTarget.value)}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just chosen this cell
      autoFocus={!error}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key === 'Escape') setValue(text);
      }}
      error={refused ?? (error || null)}
    />
  );
}
