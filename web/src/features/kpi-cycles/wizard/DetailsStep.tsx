import type { KpiCycle } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { AboutFields } from '../AboutFields.tsx';
import { aboutNames } from '../fields.ts';
import { CopyFrom } from './CopyFrom.tsx';
import { FormStep } from './FormStep.tsx';

type Props = { cycle: KpiCycle | undefined; onSaved: (saved: KpiCycle, isLater: boolean) => void };

/** The first step with the cycle's basic fields; saving it creates the draft. */
export function DetailsStep({ cycle, onSaved }: Props) {
  const t = useTranslations('kpiCycles');
  return (
    <FormStep cycle={cycle} names={aboutNames} title={t('steps.details')} onSaved={onSaved}>
      {(record) => (
        <>
          {!cycle && <CopyFrom record={record} />}
          <AboutFields record={record} cycle={cycle} />
        </>
      )}
    </FormStep>
  );
}
