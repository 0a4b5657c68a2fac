import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Message } from '../../../ui/Message.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Assignments } from '../Assignments.tsx';
import { allCycleDepartments } from '../all-cycle-departments.ts';
import { SameTemplateForAll } from '../SameTemplateForAll.tsx';
import { StepBar } from './StepBar.tsx';
import type { StepProps } from './steps.ts';
import { StepLayout } from './StepLayout.tsx';

/** Assigns a template to each department; a choice is saved at once. */
export function TemplatesStep({ cycle, onBack, onNext, onLater, isLast }: StepProps) {
  const t = useTranslations('kpiCycles');
  const [page, setPage] = useState(1);
  const chosen = useQuery(allCycleDepartments(cycle.id)).data ?? [];
  const missing = chosen.filter(({ template_id, is_published }) => template_id === null && !is_published).length;
  return (
    <StepLayout
      title={t('steps.templates')}
      wide
      below={
        <Assignments
          cycle={cycle}
          asked={{ page }}
          onPage={setPage}
          empty={<Message title={t('noDepartments')}>{t('noDepartmentsText')}</Message>}
        />
      }
      footer={
        <StepBar
          onBack={onBack}
          onLater={isLast ? undefined : onLater}
          onNext={onNext}
          nextLabel={isLast ? t('done') : undefined}
        />
      }
    >
      {missing > 0 && <Notice>{t('missingTemplates', { count: missing })}</Notice>}
      <SameTemplateForAll cycle={cycle} />
    </StepLayout>
  );
}
