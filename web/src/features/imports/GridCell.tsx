import type { StagedRow } from '@tenure/contract';
import { Suspense, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useHasChoices } from './has-choices.ts';
import { isImportField, plainField } from './fields.ts';
import classes from './GridCell.module.css';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useImportKind } from './kinds.ts';
import { useCellText } from './cell-texts.ts';
import { useFieldName } from './use-field-name.ts';

const ChoiceInput = lazyPart(() => import('./ChoiceInput.tsx'), 'ChoiceInput', 'person');

type Props = {
  id: number;
  row: StagedRow;
  field: string;
  /** Called with the corrected row; without it the cells are read-only. */
  onFixed: ((row: StagedRow) => void) | undefined;
};

/** The heading, text and errors of a field's cell. */
function cellOf({ cells, errors }: StagedRow, field: string) {
  const name = Object.keys(cells ?? {}).find((one) => plainField(one) === field) ?? field;
  const found = Object.entries(errors).filter(([one]) => plainField(one) === field);
  return { name, text: cells?.[name] ?? '', error: found.flatMap(([, messages]) => messages).join(' ') };
}

/** A cell of the file. An editable cell is a button: Enter edits it. */
export function GridCell({ id, row, field, onFixed }: Props) {
  const { name, text, error } = cellOf(row, field);
  const { fixed } = useImportKind();
  const shown = useCellText()(field, text);
  const errorId = useId();
  return (
    <div className={classes['cell']} data-wrong={error !== '' || undefined} data-out={row.left_out || undefined}>
      {onFixed && !fixed?.some((one) => one === field) ? (
        <EditableCell
          id={id}
          row={row}
          field={field}
          name={name}
          text={text}
          shown={shown}
          errorId={error && errorId}
          onFixed={onFixed}
        />
      ) : (
        <bdi className={classes['text']}>{shown ?? text}</bdi>
      )}
      {error !== '' && (
        <span id={errorId} className={classes['error']}>
          {error}
        </span>
      )}
    </div>
  );
}

type EditedCell = { id: number; row: StagedRow; name: string; text: string; onFixed: (row: StagedRow) => void };
/** `shown` is the displayed text, or the default that applies to an empty cell. */
type EditableProps = EditedCell & { field: string; errorId: string; shown: string | undefined };

/** Enter or a click edits, Enter or Tab saves, Escape cancels. The service checks the row again at once. */
function EditableCell({ id, row, field, name, text, shown, errorId, onFixed }: EditableProps) {
  const t = useTranslations('imports');
  const names = useFieldName();
  const label = t('cell', { field: isImportField(field) ? names(field) : field, row: row.row });
  const edit = useCellEdit({ id, row, name, text, onFixed });
  if (edit.typed !== undefined)
    return <CellInput label={label} errorId={errorId} typed={edit.typed} edit={edit} field={field} row={row} />;
  return (
    <button
      type="button"
      className={classes['button']}
      data-cell={field}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just edited this cell
      autoFocus={edit.isReturning}
      aria-describedby={errorId || undefined}
      onClick={edit.begin}
    >
      <span className="visually-hidden">{label}: </span>
      <bdi className={classes['text']}>
        {text === '' ? <span className="muted">{shown ?? t('emptyCell')}</span> : (shown ?? text)}
      </bdi>
    </button>
  );
}

type InputProps = {
  label: string;
  errorId: string;
  typed: string;
  edit: ReturnType<typeof useCellEdit>;
  field: string;
  row: StagedRow;
};

/**
 * The input of a cell that is being edited, with its choices if it has some, and the service's error. Over 40 lines: two
 * inputs with the same properties.
 */
function CellInput({ label, errorId, typed, edit, field, row }: InputProps) {
  const { fix } = edit;
  const hasChoices = useHasChoices()(field);
  const props = {
    'aria-label': label,
    'aria-describedby': errorId || undefined,
    'aria-invalid': errorId !== '' || fix.isError,
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just chosen this cell
    autoFocus: true,
    value: typed,
    readOnly: fix.isPending,
    maxLength: 5_000,
    // What was typed while the choices were loading stays.
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => typed === edit.before && currentTarget.select(),
    onBlur: edit.onBlur,
    onKeyDown: edit.onKeyDown,
  };
  const busy = { 'data-busy': fix.isPending || undefined };
  const plain = (other = {}) => (
    <input
      {...props}
      {...busy}
      {...other}
      className={classes['input']}
      onChange={(event) => edit.type(event.currentTarget.value)}
    />
  );
  return (
    <>
      {hasChoices ? (
        <Suspense fallback={plain({ onBlur: undefined })}>
          <ChoiceInput
            {...props}
            field={field}
            company={cellOf(row, 'entity').text || undefined}
            unasked={edit.before}
            classNames={{ input: classes['input'] ?? '' }}
            attributes={{ input: busy }}
            onChange={edit.type}
            onChoice={edit.select}
          />
        </Suspense>
      ) : (
        plain()
      )}
      {fix.error && (
        <span role="alert" className={classes['error']}>
          {Object.values(fix.error.fieldErrors).join(' ') || fix.error.message}
        </span>
      )}
    </>
  );
}

/** The edit state of a cell; ending the edit by keyboard returns the focus to the cell. */
function useCellEdit({ id, row, name, text, onFixed }: EditedCell) {
  const [typed, setTyped] = useState<string>();
  const [isReturning, setReturning] = useState(false);
  const left = useRef(false);
  const fix = useSend(useImportKind().api.fixRow);
  const begin = () => {
    left.current = false;
    fix.reset();
    setTyped(text);
  };
  const leave = (back: boolean) => {
    left.current = true;
    setReturning(back);
    setTyped(undefined);
  };
  const save = (back: boolean, content = typed) => {
    const value = content?.trim() ?? text;
    if (value === text) return leave(back);
    if (fix.isPending) return undefined;
    return fix.mutate(
      { params: { id, row: row.row }, body: { cells: { [name]: value } } },
      {
        onSuccess: ({ data }) => {
          onFixed(data);
          leave(back);
        },
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Enter selects the active choice of an open list.
    if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-activedescendant')) return;
    event.preventDefault();
    if (event.key === 'Enter') save(true);
    else leave(true);
  };
  const select = (choice: string) => {
    setTyped(choice);
    save(true, choice);
  };
  const onBlur = () => left.current || save(false);
  return { typed, before: text, isReturning, fix, begin, type: setTyped, select, onBlur, onKeyDown };
}
