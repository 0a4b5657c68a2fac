import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type Import, type ImportColumnValues } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../api/query.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { isImportField } from './fields.ts';
import { useImportKind, type ImportKind } from './kinds.ts';
import classes from './RepeatedErrors.module.css';
import { useChoiceNames } from './use-choice-names.ts';
import { useFieldName } from './use-field-name.ts';

type Found = { found: Import };
type OneValue = ImportColumnValues['values'][number];
type Picks = Readonly<Record<string, string>>;

/** The options for an empty cell, and for a text without a decision. */
const [empty, undecided] = ['-', ''];

const keyOf = (header: string, text: string) => `${header}\n${text}`;
const isOpen = ({ source }: OneValue) => source !== 'exact' && source !== 'chosen';
const isChosen = ({ source }: OneValue) => source === 'chosen';
const startOf = ({ value, source }: OneValue) => (source === 'unknown' ? undecided : (value ?? empty));

/** A file's words for fixed choices, each with a proposal; all decisions apply together. */
export function ValueMatches({ found, api }: Found & { api: NonNullable<ImportKind['values']> }) {
  const editable = found.allowed_actions.includes('update');
  const query = useQuery({
    ...load(api, { params: { id: found.id } }),
    enabled: editable,
    staleTime: 0,
  });
  return editable && query.data ? <Matches found={found} columns={query.data.data} /> : null;
}

function Matches({ found, columns }: Found & { columns: readonly ImportColumnValues[] }) {
  const t = useTranslations('importValues');
  const send = useSend(useImportKind().api.update);
  const [all, setAll] = useState(false);
  const [picks, setPicks] = useState<Picks>({});
  const isShown = (value: OneValue) => isOpen(value) || (all && isChosen(value));
  const shown = columns
    .map((column) => ({ ...column, values: column.values.filter(isShown) }))
    .filter(({ values }) => values.length > 0);
  const chosen = columns.flatMap(({ values }) => values.filter(isChosen)).length;
  const picked = shown.flatMap(({ header, values }) =>
    values.map((value) => ({ header, text: value.text, pick: picks[keyOf(header, value.text)] ?? startOf(value) })),
  );
  const decided = picked.filter(({ pick }) => pick !== undecided);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const body = { values: merged(found.values, decided), revision: found.revision };
    send.mutate({ params: { id: found.id }, body });
  };
  const more = !all && chosen > 0 && (
    <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
      {t('showAll', { count: chosen })}
    </Button>
  );
  if (shown.length === 0) return more ? <div>{more}</div> : null;
  return (
    <section className={classes['groups']} aria-label={t('values')}>
      <Stack component="form" gap={12} py={9} onSubmit={save}>
        <Text size="sm">{t('valuesLead')}</Text>
        {shown.map((column) => (
          <OneColumn
            key={column.header}
            column={column}
            picks={picks}
            onPick={(text, pick) => setPicks((old) => ({ ...old, [keyOf(column.header, text)]: pick }))}
          />
        ))}
        <Group gap={8}>
          <Button type="submit" size="sm" loading={send.isPending} disabled={decided.length === 0}>
            {t('use', { count: decided.length })}
          </Button>
          {more}
        </Group>
        <ErrorNotice error={send.error} />
      </Stack>
    </section>
  );
}

/** The values of an import, with the decisions. */
function merged(values: Import['values'], decided: readonly { header: string; text: string; pick: string }[]) {
  const all: Import['values'] = { ...values };
  for (const { header, text, pick } of decided) all[header] = { ...all[header], [text]: pick === empty ? null : pick };
  return all;
}

type ColumnProps = {
  column: ImportColumnValues;
  picks: Picks;
  onPick: (text: string, pick: string) => void;
};

function OneColumn({ column: { header, field, choices, values, more }, picks, onPick }: ColumnProps) {
  const t = useTranslations('importValues');
  const names = useFieldName();
  const labels = useChoiceNames();
  const name = isImportField(field) ? names(field) : field;
  const data = [
    { value: undecided, label: t('undecided') },
    ...choices.map((value) => ({ value, label: labels(field, value) ?? value.replaceAll('_', ' ') })),
    { value: empty, label: t('leaveEmpty') },
  ];
  return (
    <Stack gap={6}>
      <b>{t('column', { field: name, header })}</b>
      <ul>
        {values.map((value) => (
          <Group key={value.text} component="li" gap="4px 12px" justify="space-between" py={4}>
            <span>
              <q dir="auto">{value.text}</q> <span className="muted">{t('rows', { count: value.rows })}</span>
              {(value.source === 'remembered' || value.source === 'suggested') && (
                <span className="muted">
                  {' · '}
                  {t(value.source)}
                </span>
              )}
            </span>
            <NativeSelect
              size="sm"
              miw="12rem"
              aria-label={t('meaning', { text: value.text })}
              data={data}
              value={picks[keyOf(header, value.text)] ?? startOf(value)}
              onChange={(event) => onPick(value.text, event.currentTarget.value)}
            />
          </Group>
        ))}
      </ul>
      {more > 0 && <span className="muted">{t('moreValues', { count: more })}</span>}
    </Stack>
  );
}
