import { ActionIcon, Button, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Change } from '../../../ui/autosave.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import type { Texts } from '../../../ui/versions.ts';
import classes from '../../kpi-templates/builder.module.css';
import { decimalSignOf, type DecimalSign } from '../../../ui/numbers.ts';
import { withLabel } from '../../../ui/with-label.ts';
import { spread, totalOf, weightText, whole } from '../../../ui/weights.ts';
import { useTypedPercent } from '../../../ui/use-percent.ts';
import { WeightTotal } from '../../../ui/WeightTotal.tsx';
import { AddCriterion, type Adding } from './AddCriterion.tsx';
import { criteriaOf, criteriaText, type CriterionTexts } from './values.ts';
import { Problem } from '../../../ui/Problem.tsx';

export type Form = {
  values: Texts;
  errors: Readonly<Record<string, string>>;
  change: (change: Change) => void;
  adding: Ref<Adding>;
};

const most = 20;

type EditorProps = {
  form: Form;
  /** What HR asks the reviewer to consider, by the name of the criterion. */
  guidance: ReadonlyMap<string, string | undefined>;
  /** Names and weights were set by HR and are fixed; only ratings and comments can be edited. */
  isFixed: boolean;
};

/** Criteria with their weights: none, or 100 % in total. */
export function CriteriaEditor({ form, guidance, isFixed }: EditorProps) {
  const t = useTranslations('probationForm');
  const sign = decimalSignOf(useLocale());
  const { rows, add, changeAt, remove, distribute } = useCriteria(form, sign);
  const total = totalOf(
    rows.map(({ weight }) => weight),
    sign,
  );
  return (
    <Stack gap={10} renderRoot={(props) => <fieldset {...props} />}>
      <Text component="legend" className="muted" fz="sm">
        <b>{t('criteria')}</b> {t(isFixed ? 'fixed' : 'criteriaHint')}
      </Text>
      {rows.length > 0 && (
        <Stack gap={8} renderRoot={(props) => <ol {...props} />}>
          {rows.map((row, index) => (
            <Criterion
              // oxlint-disable-next-line react/no-array-index-key -- a criterion has no other stable key
              key={index}
              row={row}
              index={index}
              isFixed={isFixed}
              guidance={guidance.get(row.name)}
              errors={form.errors}
              onChange={(patch) => changeAt(index, patch)}
              onRemove={() => remove(index, row)}
            />
          ))}
        </Stack>
      )}
      {form.errors['criteria'] !== undefined && <Problem>{form.errors['criteria']}</Problem>}
      {rows.length > 0 && !isFixed && <Weights total={total} onDistribute={distribute} />}
      {rows.length < most && !isFixed && (
        <AddCriterion rest={total < whole ? weightText(whole - total, sign) : ''} adding={form.adding} onAdd={add} />
      )}
    </Stack>
  );
}

/** The sum of the weights as a part of 100 %. */
function Weights({ total, onDistribute }: { total: number; onDistribute: () => void }) {
  const t = useTranslations('probationForm');
  return (
    <Paper px={14} py={10} bd="1px solid var(--line)" bg="var(--sunken)" radius="lg">
      <Group align="end" gap={14} wrap="nowrap">
        <WeightTotal
          total={total}
          words={(state, rest) => t(`total.${state}`, { rest })}
          announcement={(sum, words) => t('total.said', { total: sum, words })}
        />
        <Button variant="default" size="compact-sm" flex="none" onClick={onDistribute}>
          {t('distribute')}
        </Button>
      </Group>
    </Paper>
  );
}

/** The criteria of a form and their changes; undo is offered for what one click removes. */
function useCriteria(form: Form, sign: DecimalSign) {
  const t = useTranslations('probationForm');
  const toast = useToast();
  const rows = criteriaOf(form.values['criteria']);
  const change = (make: (now: readonly CriterionTexts[]) => readonly CriterionTexts[]) =>
    form.change(({ criteria }) => ({ criteria: criteriaText(make(criteriaOf(criteria))) }));
  const changeAt = (index: number, patch: Partial<CriterionTexts>) =>
    change((now) => now.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  const remove = (index: number, row: CriterionTexts) => {
    change((now) => now.toSpliced(index, 1));
    toast({ text: t('removed', { name: row.name }), undo: () => change((now) => now.toSpliced(index, 0, row)) });
  };
  const distribute = () => {
    const shares = spread(rows.length).map((share) => weightText(share, sign));
    const weigh = (from: readonly (string | undefined)[], to: readonly (string | undefined)[]) =>
      change((now) => now.map((row, at) => (row.weight === from[at] ? { ...row, weight: to[at] ?? row.weight } : row)));
    const before = rows.map(({ weight }) => weight);
    weigh(before, shares);
    toast({ text: t('distributed'), undo: () => weigh(shares, before) });
  };
  return { rows, add: (row: CriterionTexts) => change((now) => [...now, row]), changeAt, remove, distribute };
}

type CriterionProps = {
  row: CriterionTexts;
  index: number;
  isFixed: boolean;
  guidance: string | undefined;
  errors: Form['errors'];
  onChange: (patch: Partial<CriterionTexts>) => void;
  onRemove: () => void;
};

function Criterion({ row, index, isFixed, guidance, errors, onChange, onRemove }: CriterionProps) {
  const t = useTranslations('probationForm');
  const of = t('criterionNumber', { number: index + 1 });
  const error = (field: keyof CriterionTexts) => {
    const message = errors[`criteria.${index}.${field}`];
    return message === undefined ? undefined : withLabel(message, t(`criterionField.${field}`));
  };
  return (
    <li className={classes['item']} data-gap={`criteria.${index}`}>
      {isFixed ? (
        <FixedHead row={row} />
      ) : (
        <CriterionHead row={row} of={of} error={error} onChange={onChange} onRemove={onRemove} />
      )}
      {guidance && <p className="muted">{guidance}</p>}
      <Segments
        label={t('ratingOf', { item: row.name.trim() || of })}
        choices={['1', '2', '3', '4', '5'].map((value) => ({ value, label: value }))}
        value={row.rating}
        error={error('rating')}
        clear={t('clear')}
        onChange={(rating) => onChange({ rating })}
      />
      <Textarea
        aria-label={t('commentOf', { item: row.name.trim() || of })}
        placeholder={t('comment')}
        value={row.comment}
        error={error('comment')}
        rows={2}
        maxLength={5_000}
        onChange={(event) => onChange({ comment: event.currentTarget.value })}
      />
    </li>
  );
}

function FixedHead({ row: { name, weight } }: Pick<CriterionProps, 'row'>) {
  const percent = useTypedPercent();
  return (
    <p>
      <b>
        <bdi>{name}</bdi>
      </b>{' '}
      <span className="muted numbers">{percent(weight)}</span>
    </p>
  );
}

type HeadProps = Pick<CriterionProps, 'row' | 'onChange' | 'onRemove'> & {
  /** The label of a criterion without a name. */
  of: string;
  error: (field: keyof CriterionTexts) => string | undefined;
};

/** The inputs for name and weight. */
function CriterionHead({ row, of, error, onChange, onRemove }: HeadProps) {
  const t = useTranslations('probationForm');
  return (
    <div className={classes['itemHead']}>
      <TextInput
        className={classes['itemName']}
        aria-label={t('nameOf', { item: of })}
        value={row.name}
        error={error('name')}
        maxLength={200}
        required
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        className={classes['itemWeight']}
        aria-label={t('weightOf', { item: of })}
        value={row.weight}
        error={error('weight')}
        inputMode="decimal"
        autoComplete="off"
        rightSection="%"
        required
        onChange={(event) => onChange({ weight: event.currentTarget.value })}
      />
      <div className={classes['itemActions']}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={t('remove', { name: row.name.trim() || of })}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  );
}
