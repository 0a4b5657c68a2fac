import { Group, NativeSelect, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { itemDirections, itemTypes } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Pills } from '../../ui/Pills.tsx';
import { measuresOf, type TemplateValues } from './values.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';

export type ItemProps = { form: UseFormReturnType<TemplateValues>; index: number };

/** The folded fields of an item. */
export function ItemDetails({ form, index }: ItemProps) {
  const t = useTranslations('kpiTemplates');
  const path = `items.${index}` as const;
  const item = form.values.items[index];
  if (!item) return null;
  const wrongType = form.errors[`${path}.item_type`];
  return (
    <Stack gap={14} pt={4} pb={6} ps="var(--indent)" pe="var(--indent-end)">
      <Textarea
        {...form.getInputProps(`${path}.description`)}
        label={t('field.description')}
        placeholder={t('itemDescription')}
        maxLength={5_000}
        rows={2}
      />
      <Group gap="12px 24px">
        <Pills
          label={t('scoredBy')}
          options={itemTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
          value={itemTypes.find((one) => one === item.item_type)}
          onChange={(value) => form.setFieldValue(`${path}.item_type`, value)}
        />
        <Switch
          label={t('evidenceRequired')}
          checked={item.evidence_required}
          onChange={(event) => form.setFieldValue(`${path}.evidence_required`, event.currentTarget.checked)}
        />
      </Group>
      <Text className="muted" fz="sm" mt={-6}>
        {t(item.item_type === 'measured' ? 'measuredHint' : 'ratingHint')}
      </Text>
      {wrongType !== undefined && (
        <Text c="var(--danger)" size="sm" role="alert">
          {wrongType}
        </Text>
      )}
      {item.item_type === 'measured' && <Measures form={form} index={index} />}
    </Stack>
  );
}

const longest: Record<string, number> = { unit: 20 };

function Measures({ form, index }: ItemProps) {
  const t = useTranslations('kpiTemplates');
  const path = `items.${index}` as const;
  const direction = form.values.items[index]?.direction ?? '';
  return (
    <AutoGrid min="9rem" gap="14px 20px">
      <NativeSelect
        {...form.getInputProps(`${path}.direction`)}
        style={{ gridColumn: '1 / -1' }}
        label={t('field.direction')}
        data={[
          { value: '', label: t('choose') },
          ...itemDirections.map((value) => ({ value, label: t(`direction.${value}`) })),
        ]}
      />
      {measuresOf(direction).map((field) => (
        <TextInput
          key={field}
          {...form.getInputProps(`${path}.${field}`)}
          label={t(`field.${field as MeasureField}`)}
          {...(field !== 'unit' && { inputMode: 'decimal' as const })}
          {...(field === 'unit' && { placeholder: t('unitExample') })}
          {...(field === 'cap_pct' && { placeholder: '120' })}
          {...(field.endsWith('_pct') && { rightSection: '%' })}
          maxLength={longest[field] ?? 24}
          autoComplete="off"
        />
      ))}
      {measuresOf(direction).includes('target_value') && (
        <Switch
          {...form.getInputProps(`${path}.prorate`, { type: 'checkbox' })}
          style={{ gridColumn: '1 / -1' }}
          label={t('prorate')}
          description={t('prorateHint')}
        />
      )}
    </AutoGrid>
  );
}

type MeasureField = 'unit' | 'target_value' | 'baseline_value' | 'tolerance_pct' | 'cap_pct';
