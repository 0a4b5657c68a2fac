import { kpiCycles, type KpiCycle } from '@tenure/contract';
import { useLocale } from 'use-intl';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import type { Texts } from '../../ui/versions.ts';
import { decimalSignOf } from '../../ui/numbers.ts';
import { cycleBody, cycleTexts, newCycle, type CycleField } from './fields.ts';

type Options = {
  /** Absent for a new cycle. */
  cycle?: KpiCycle | undefined;
  /** The fields of the form. */
  names: readonly CycleField[];
  onSaved: (saved: KpiCycle) => void;
};

/** Adds a cycle. */
function useAdd(sign: ReturnType<typeof decimalSignOf>) {
  const create = useSend(kpiCycles.create);
  return async (changed: Texts) => {
    // The service sets the owner unless the user chose one.
    const { owner_id: _nobody, ...blank } = newCycle();
    const body = { name: '', start_date: '', end_date: '', ...cycleBody({ ...blank, ...changed }, sign) };
    return create.mutateAsync({ body });
  };
}

/** A form for some fields of a new or stored cycle. The input is kept as a draft when the session ends. */
export function useCycleForm({ cycle, names, onSaved }: Options) {
  const sign = decimalSignOf(useLocale());
  const update = useSend(kpiCycles.update);
  const add = useAdd(sign);
  const record = useRecordForm({
    draft: `kpi-cycles.${cycle?.id ?? 'new'}.${names.join('.')}`,
    start: cycle ? { texts: cycleTexts(cycle, names, sign), revision: cycle.revision } : { texts: newCycle() },
    send: async (changed, revision) => {
      if (!cycle) return (await add(changed)).data;
      if (Object.keys(changed).length === 0) return cycle;
      const sent = { params: { id: cycle.id }, body: { ...cycleBody(changed, sign), revision } };
      return (await update.mutateAsync(sent)).data;
    },
    reread: async () => {
      const { data } = await call(kpiCycles.get, { params: { id: cycle?.id ?? 0 } });
      return { texts: cycleTexts(data, names, sign), revision: data.revision };
    },
    onSaved,
  });
  const dayProps = (name: CycleField) => {
    const error = record.form.errors[name];
    return {
      name,
      value: record.form.values[name] ?? '',
      onChange: (day: string) => record.form.setFieldValue(name, day),
      error: typeof error === 'string' ? error : undefined,
    };
  };
  return { ...record, sign, dayProps };
}

export type CycleForm = ReturnType<typeof useCycleForm>;
