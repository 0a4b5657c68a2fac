import { MultiSelect, Stack } from '@mantine/core';
import { eventTypeNames } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Segments } from '../../ui/Segments.tsx';
import type { RecordForm } from '../../ui/use-record-form.ts';
import { allTypes, typesByArea, valuesOf } from './fields.ts';

type Props = Pick<RecordForm, 'form'> & {
  /** The types that the account may read; absent while no account is selected. */
  readable: readonly string[] | undefined;
};

/**
 * The event types: all, which is an option of its own, or some. Types that the account may not read can be deselected,
 * but not selected.
 */
export function TypesField({ form, readable }: Props) {
  const t = useTranslations('webhooks');
  const text = form.values['types'] ?? '';
  const isAll = text === allTypes;
  // remembered while all are selected
  const [kept, setKept] = useState(isAll ? '' : text);
  const chosen = isAll ? [] : valuesOf(text);
  const may = new Set<string>(readable ?? eventTypeNames);
  const choose = (values: readonly string[]) => {
    const next = eventTypeNames.filter((one) => values.includes(one)).join(',');
    setKept(next);
    form.setFieldValue('types', next);
  };
  return (
    <Stack gap={8}>
      <Segments
        label={t('field.types')}
        choices={[
          { value: 'all', label: t('allTypes') },
          { value: 'some', label: t('someTypes') },
        ]}
        value={isAll ? 'all' : 'some'}
        onChange={(next) => form.setFieldValue('types', next === 'all' ? allTypes : kept)}
      />
      {isAll ? (
        <p className="muted small">{t('help.allTypes')}</p>
      ) : (
        <MultiSelect
          label={t('someTypes')}
          description={t('help.types')}
          error={form.errors['types']}
          data={typesByArea.map(([area, types]) => ({
            group: t(`area.${area}`),
            items: types.map((value) => ({
              value,
              label: value,
              disabled: !may.has(value) && !chosen.includes(value),
            })),
          }))}
          value={chosen}
          placeholder={chosen.length > 0 ? '' : t('chooseTypes')}
          onChange={choose}
          required
          searchable
          clearable
        />
      )}
    </Stack>
  );
}
