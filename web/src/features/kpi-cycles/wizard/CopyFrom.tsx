import { NativeSelect } from '@mantine/core';
import { kpiCycles } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { periodAfter } from '../fields.ts';
import type { CycleForm } from '../use-cycle-form.ts';

/** The earlier cycle to start from: suggests its type and company, and the period after it. */
export function CopyFrom({ record: { form } }: { record: CycleForm }) {
  const t = useTranslations('kpiCycles');
  const found = useQuery(
    load(kpiCycles.list, { query: { sort_by: 'start_date', sort_direction: 'desc', per_page: 50 } }),
  );
  const cycles = found.data?.data ?? [];
  const choose = (id: string) => {
    const source = cycles.find((cycle) => String(cycle.id) === id);
    form.setFieldValue('copy_from', id);
    if (!source) return;
    const { start, end } = periodAfter(source);
    const entity_id = source.entity_id === null ? '' : String(source.entity_id);
    form.setValues({ copy_from: id, type: source.type, start_date: start, end_date: end, entity_id });
  };
  return (
    <NativeSelect
      {...form.getInputProps('copy_from')}
      label={t('copyFrom')}
      description={t('copyHint')}
      data={[
        { value: '', label: t('copyNone') },
        ...cycles.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
