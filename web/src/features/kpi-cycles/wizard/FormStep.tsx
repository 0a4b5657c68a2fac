import { useRef, type ReactNode } from 'react';
import type { KpiCycle } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { CycleConflict } from '../CycleConflict.tsx';
import { bandErrors, capErrors, type CycleField } from '../fields.ts';
import { useCycleForm, type CycleForm } from '../use-cycle-form.ts';
import { StepBar } from './StepBar.tsx';
import { StepLayout } from './StepLayout.tsx';

type Props = {
  cycle: KpiCycle | undefined;
  names: readonly CycleField[];
  title: string;
  onBack?: (() => void) | undefined;
  onSaved: (saved: KpiCycle, isLater: boolean) => void;
  children: (record: CycleForm) => ReactNode;
};

/** A wizard step with a form, which is saved before the next step. */
export function FormStep({ cycle, names, title, onBack, onSaved, children }: Props) {
  const t = useTranslations('kpiCycles');
  const isLater = useRef(false);
  const record = useCycleForm({ cycle, names, onSaved: (saved) => onSaved(saved, isLater.current) });
  const save = (later: boolean) => {
    isLater.current = later;
    record.save();
  };
  return (
    <form
      style={{ display: 'contents' }}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save(false);
      }}
    >
      <StepLayout
        title={title}
        footer={
          <StepBar onBack={onBack} onLater={() => save(true)} onNext={() => save(false)} isPending={record.isPending} />
        }
      >
        {record.isKept && <Notice kind="history">{t('kept')}</Notice>}
        <ErrorNotice error={record.error} fields={[...names, ...capErrors, ...bandErrors, 'self_weight_pct']} />
        {children(record)}
      </StepLayout>
      <CycleConflict record={record} />
      <LeaveGuard when={record.isDirty && !record.isPending} />
    </form>
  );
}
