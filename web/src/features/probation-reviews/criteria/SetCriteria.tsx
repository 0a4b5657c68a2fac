import { ActionIcon, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { maxCriteria, maxGuidance } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Problem } from '../../../ui/Problem.tsx';
import type { RecordForm } from '../../../ui/use-record-form.ts';
import { WeightTotal } from '../../../ui/WeightTotal.tsx';
import { criteriaOf, criteriaText, evenShares, weightOf, type CriterionTexts } from './set-values.ts';

/** The criteria of a set: names and weights in whole percent, with their total. */
export function SetCriteria({ form }: { form: RecordForm['form'] }) {
  const t = useTranslations('probationCriteria');
  const rows = criteriaOf(form.values['criteria']);
  const change = (next: readonly CriterionTexts[]) => form.setFieldValue('criteria', criteriaText(next));
  const total = rows.reduce((sum, { weight }) => sum + weightOf(weight), 0);
  const distribute = () => {
    const shares = evenShares(rows.length);
    change(rows.map((row, place) => ({ ...row, weight: String(shares[place] ?? 0) })));
  };
  return (
    <Stack gap={8} renderRoot={(props) => <fieldset {...props} />}>
      <Text component="legend" fz="sm" fw={500}>
        {t('criteria')}
      </Text>
      {rows.map((row, place) => (
        <Row
          // oxlint-disable-next-line react/no-array-index-key -- a criterion has no other stable key
          key={place}
          row={row}
          number={place + 1}
          errors={form.errors}
          onChange={(patch) => change(rows.map((one, at) => (at === place ? { ...one, ...patch } : one)))}
          {...(rows.length > 1 && { onRemove: () => change(rows.toSpliced(place, 1)) })}
        />
      ))}
      {form.errors['criteria'] && <Problem>{form.errors['criteria']}</Problem>}
      <Group align="end" wrap="nowrap" gap={14}>
        <WeightTotal
          compact
          total={total * 100}
          words={(state, rest) => t(`total.${state}`, { rest })}
          announcement={(sum, words) => t('total.said', { total: sum, words })}
        />
        <Button variant="default" size="compact-sm" flex="none" onClick={distribute}>
          {t('distribute')}
        </Button>
      </Group>
      {rows.length < maxCriteria && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() =>
              change([...rows, { name: '', weight: String(Math.max(0, 100 - total) || ''), guidance: '' }])
            }
          >
            {t('addCriterion')}
          </Button>
        </div>
      )}
    </Stack>
  );
}

type RowProps = {
  row: CriterionTexts;
  number: number;
  errors: RecordForm['form']['errors'];
  onChange: (patch: Partial<CriterionTexts>) => void;
  onRemove?: () => void;
};

function Row({ row, number, errors, onChange, onRemove }: RowProps) {
  const t = useTranslations('probationCriteria');
  const error = (field: keyof CriterionTexts) => errors[`criteria.${number - 1}.${field}`];
  return (
    <Stack gap={6}>
      <Group gap={8} wrap="nowrap" align="start">
        <TextInput
          flex={1}
          aria-label={t('criterionName', { number })}
          placeholder={t('criterionName', { number })}
          value={row.name}
          maxLength={200}
          required
          error={error('name')}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          w={88}
          aria-label={t('criterionWeight', { number })}
          value={row.weight}
          inputMode="numeric"
          autoComplete="off"
          rightSection="%"
          required
          error={error('weight')}
          onChange={(event) => onChange({ weight: event.currentTarget.value })}
        />
        {onRemove && (
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('remove', { number })} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Textarea
        aria-label={t('criterionGuidance', { number })}
        placeholder={t('guidance')}
        value={row.guidance}
        maxLength={maxGuidance}
        rows={2}
        error={error('guidance')}
        onChange={(event) => onChange({ guidance: event.currentTarget.value })}
      />
    </Stack>
  );
}
