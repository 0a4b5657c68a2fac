import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { formerResults, formerResultUnits, type FormerResult } from '@tenure/contract';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';
import { DateField } from '../../../ui/DateField.tsx';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { decimalSignOf, sentNumber, writeNumber, type DecimalSign } from '../../../ui/numbers.ts';
import { useToast } from '../../../ui/toasts.tsx';

type Props = { row: FormerResult; onClose: () => void };

const asked = [
  'period',
  'period_from',
  'period_to',
  'unit',
  'result',
  'scale_from',
  'scale_to',
  'band',
  'source',
] as const;
type Field = (typeof asked)[number];
type Values = Record<Field, string>;

const numbers: readonly Field[] = ['result', 'scale_from', 'scale_to'];
const valuesOf = (row: FormerResult, sign: DecimalSign) =>
  Object.fromEntries(
    asked.map((name) => {
      const value = row[name];
      return [name, typeof value === 'number' ? writeNumber(value, sign) : (value ?? '')];
    }),
  ) as Values;

/** The changed fields; a band without a number has no scale either. */
function bodyOf(before: Values, values: Values, sign: DecimalSign) {
  const changed = asked.filter((name) => values[name] !== before[name]);
  const sent = (name: Field) => (numbers.includes(name) ? sentNumber(values[name], sign) : values[name].trim() || null);
  const body = Object.fromEntries(changed.map((name) => [name, sent(name)]));
  return values.unit === '' ? { ...body, result: null, unit: null, scale_from: null, scale_to: null } : body;
}

/** Corrects or deletes a result from a former system, with a reason. */
export function CorrectFormer({ row, onClose }: Props) {
  const t = useTranslations('formerResult');
  const sign = decimalSignOf(useLocale());
  const [before] = useState(() => valuesOf(row, sign));
  const [values, setValues] = useState(before);
  const [reason, setReason] = useState('');
  const { save, remove } = useActions(row, onClose);
  const error = save.error ?? remove.error;
  const errors = error?.fieldErrors ?? {};
  const isPending = save.isPending || remove.isPending;
  return (
    <Dialog opened onClose={onClose} title={t('title')} size="lg">
      <DialogForm onSubmit={() => save.start({ ...bodyOf(before, values, sign), reason })}>
        <p className="muted">{t('lead', { source: row.source })}</p>
        <ErrorNotice error={error} fields={[...asked, 'reason']} />
        <Fields values={values} errors={errors} onChange={(change) => setValues((old) => ({ ...old, ...change }))} />
        <Textarea
          label={t('reason')}
          description={t('reasonHint')}
          required
          maxLength={500}
          rows={3}
          value={reason}
          error={errors['reason']}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <DialogActions>
          <Button variant="default" me="auto" disabled={isPending} onClick={() => remove.start(reason)}>
            {t('delete')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={remove.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}

/** Starts an action and clears the error of the other one. */
function again(other: { reset: () => void }, start: () => void) {
  other.reset();
  start();
}

/** Saves a correction, or deletes the result. */
function useActions(row: FormerResult, onDone: () => void) {
  const t = useTranslations('formerResult');
  const toast = useToast();
  const correct = useSend(formerResults.update);
  const drop = useSend(formerResults.delete);
  const params = { id: row.employee_id, resultId: row.id };
  const then = (text: string) => ({
    onSuccess: () => {
      toast({ text });
      onDone();
    },
  });
  const start = (body: Record<string, unknown> & { reason: string }) =>
    again(drop, () => correct.mutate({ params, body: { ...body, revision: row.revision } }, then(t('saved'))));
  return {
    save: { ...correct, start },
    remove: {
      ...drop,
      start: (reason: string) => again(correct, () => drop.mutate({ params, body: { reason } }, then(t('deleted')))),
    },
  };
}

type FieldsProps = {
  values: Values;
  errors: Readonly<Record<string, string | undefined>>;
  onChange: (change: Partial<Values>) => void;
};

function Fields({ values, errors, onChange }: FieldsProps) {
  const t = useTranslations('formerResult');
  const text = (name: Exclude<Field, 'unit' | 'period_from' | 'period_to'>, hint?: string) => (
    <TextInput
      label={t(name)}
      description={hint}
      value={values[name]}
      error={errors[name]}
      inputMode={numbers.includes(name) ? 'decimal' : 'text'}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  const day = (name: 'period_from' | 'period_to') => (
    <DateField
      label={t(name)}
      value={values[name]}
      onChange={(value) => onChange({ [name]: value })}
      error={errors[name]}
    />
  );
  return (
    <AutoGrid min="12rem" gap={14} fit>
      {text('period')}
      {day('period_from')}
      {day('period_to')}
      <NativeSelect
        label={t('unit')}
        data={[...formerResultUnits.map((value) => ({ value, label: t(value) })), { value: '', label: t('none') }]}
        value={values.unit}
        error={errors['unit']}
        onChange={(event) => onChange({ unit: event.currentTarget.value })}
      />
      {values.unit !== '' && text('result')}
      {values.unit === 'points' && text('scale_from', t('scaleHint'))}
      {values.unit === 'points' && text('scale_to')}
      {text('band')}
      {text('source')}
    </AutoGrid>
  );
}
