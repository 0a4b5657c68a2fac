import { Button } from '@mantine/core';
import type { KpiTemplate } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { AboutFields, ScaleFields } from './AboutFields.tsx';
import classes from './builder.module.css';
import { ItemsEditor } from './ItemsEditor.tsx';
import { ItemsRead, ScaleWords } from './TemplateView.tsx';
import type { TemplateForm } from './use-template-form.ts';
import { Distribute, WeightMeter } from './WeightMeter.tsx';

type Props = {
  id: string;
  record: TemplateForm;
  template: KpiTemplate | undefined;
  /** What had been entered before a session ended is back. */
  isKept: boolean;
  onDuplicate: () => void;
  /** Where there is no room for a column of its own: what stands beside the meter at the bottom. */
  bar: ReactNode;
};

/** The fields of a template; once a published cycle uses it, items and scale can only be read. */
export function BuilderForm({ id, record, template, isKept, onDuplicate, bar }: Props) {
  const t = useTranslations('kpiTemplates');
  const isLocked = (template?.usage.published_cycles ?? 0) > 0;
  const { errors } = record.form;
  // What was said about all items is over once a weight was changed.
  const shown = Object.keys(errors).filter((field) => field !== 'items' && !field.endsWith('.id'));
  if (errors['items'] === undefined) shown.push('items');
  // The state's message repeats that of the field to blame.
  const fields = record.error && Object.keys(record.error.fieldErrors).length > 1 ? [...shown, 'status'] : shown;
  return (
    <form
      id={id}
      className={classes['builder']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void record.save();
      }}
    >
      <div className={classes['main']}>
        {isKept && <Notice kind="history">{t('kept')}</Notice>}
        {template && isLocked && <Lock template={template} onDuplicate={onDuplicate} />}
        <ErrorNotice error={record.error} fields={fields} />
        <AboutFields record={record} template={template} />
        {bar !== undefined && !isLocked && <ScaleFields record={record} />}
        <section className={classes['section']}>
          <h2>{t('items')}</h2>
          {template && isLocked ? (
            <>
              <p className={classes['hint']}>
                <ScaleWords template={template} />
              </p>
              <ItemsRead template={template} />
            </>
          ) : (
            <ItemsEditor record={record} beside={bar !== undefined && <Distribute record={record} />} />
          )}
        </section>
        {bar !== undefined && (
          <div className={classes['bar']} data-foot>
            {!isLocked && <WeightMeter record={record} />}
            {bar}
          </div>
        )}
      </div>
      {bar === undefined && !isLocked && (
        <aside className={classes['rail']}>
          <WeightMeter record={record}>
            <Distribute record={record} />
          </WeightMeter>
          <p className={classes['hint']}>{t('weightsHint')}</p>
          <ScaleFields record={record} />
        </aside>
      )}
    </form>
  );
}

/** Why items and scale stay as they are, and the way to others. */
function Lock({ template, onDuplicate }: { template: KpiTemplate; onDuplicate: () => void }) {
  const t = useTranslations('kpiTemplates');
  return (
    <Notice>
      <div className={classes['lock']}>
        <p>{t('locked', { count: template.usage.published_cycles })}</p>
        {template.allowed_actions.includes('duplicate') && (
          <Button variant="default" size="compact-sm" onClick={onDuplicate}>
            {t('duplicateAsDraft')}
          </Button>
        )}
      </div>
    </Notice>
  );
}
