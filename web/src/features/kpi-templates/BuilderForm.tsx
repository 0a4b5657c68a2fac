import { Button, Stack, Text } from '@mantine/core';
import type { KpiTemplate } from '@tenure/contract';
import type { FormEvent, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { AboutFields, ScaleFields } from './AboutFields.tsx';
import classes from './builder.module.css';
import { HighestResult } from './HighestResult.tsx';
import { ItemsEditor } from './ItemsEditor.tsx';
import { ItemsRead, ScaleSummary } from './TemplateView.tsx';
import type { TemplateForm } from './use-template-form.ts';
import { Distribute, WeightMeter } from './WeightMeter.tsx';
import { Section } from './Section.tsx';

type Props = {
  id: string;
  record: TemplateForm;
  template: KpiTemplate | undefined;
  /** True if the input was restored from a draft. */
  isKept: boolean;
  onDuplicate: () => void;
  /** On narrow screens, the content beside the weight meter at the bottom. */
  footer: ReactNode;
};

/** The fields of a template; items and scale are read-only once a published cycle uses it. */
export function BuilderForm({ id, record, template, isKept, onDuplicate, footer }: Props) {
  const t = useTranslations('kpiTemplates');
  const locked = template && template.usage.published_cycles > 0 ? template : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void record.save();
  };
  return (
    <form id={id} className={classes['builder']} noValidate onSubmit={submit}>
      <Stack gap={28} miw={0}>
        {isKept && <Notice kind="history">{t('kept')}</Notice>}
        {locked && <Lock template={locked} onDuplicate={onDuplicate} />}
        <ErrorNotice error={record.error} fields={fieldsWithMessages(record)} />
        <AboutFields record={record} template={template} />
        {footer !== undefined && !locked && <ScaleFields record={record} />}
        <Section title={t('items')}>
          {locked ? (
            <LockedItems template={locked} />
          ) : (
            <ItemsEditor record={record} extra={footer !== undefined && <Distribute record={record} />} />
          )}
          {footer !== undefined && !locked && <HighestResult record={record} />}
        </Section>
        {footer !== undefined && (
          <div className={classes['bar']} data-foot>
            {!locked && <WeightMeter record={record} compact />}
            {footer}
          </div>
        )}
      </Stack>
      {footer === undefined && !locked && <Rail record={record} />}
    </form>
  );
}

/** The fields that show their own messages. */
function fieldsWithMessages({ error, form: { errors } }: TemplateForm): string[] {
  // The message about all items disappears once a weight changes.
  const shown = Object.keys(errors).filter((field) => field !== 'items' && !field.endsWith('.id'));
  if (errors['items'] === undefined) shown.push('items');
  // The status message repeats that of the field that caused it.
  return error && Object.keys(error.fieldErrors).length > 1 ? [...shown, 'status'] : shown;
}

function LockedItems({ template }: { template: KpiTemplate }) {
  return (
    <>
      <Text className="muted" fz="sm">
        <ScaleSummary template={template} />
      </Text>
      <ItemsRead template={template} />
    </>
  );
}

/** The column that stays visible beside the items. */
function Rail({ record }: { record: TemplateForm }) {
  const t = useTranslations('kpiTemplates');
  return (
    <Stack gap={14} className={classes['rail'] ?? ''} renderRoot={(props) => <aside {...props} />}>
      <WeightMeter record={record}>
        <Distribute record={record} />
      </WeightMeter>
      <Text className="muted" fz="sm" mb={14}>
        {t('weightsHint')}
      </Text>
      <HighestResult record={record} />
      <ScaleFields record={record} />
    </Stack>
  );
}

/** Why items and scale are read-only, with the button to copy the template. */
function Lock({ template, onDuplicate }: { template: KpiTemplate; onDuplicate: () => void }) {
  const t = useTranslations('kpiTemplates');
  return (
    <Notice>
      <Stack align="start" gap={10}>
        <p>{t('locked', { count: template.usage.published_cycles })}</p>
        {template.allowed_actions.includes('duplicate') && (
          <Button variant="default" size="compact-sm" onClick={onDuplicate}>
            {t('duplicateAsDraft')}
          </Button>
        )}
      </Stack>
    </Notice>
  );
}
