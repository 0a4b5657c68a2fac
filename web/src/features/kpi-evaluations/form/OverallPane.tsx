import { performanceFlags, type KpiEvaluation } from '@tenure/contract';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import classes from '../../../ui/Panes.module.css';
import { LabelledText } from '../../../ui/LabelledText.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { EvidencePart } from './evidence/lazy.ts';
import { LongText, type Form } from './fields.tsx';
import { overallTexts, type Side } from './values.ts';

type Props = { evaluation: KpiEvaluation; form: Form | undefined };

/** The overall comments of each visible side. */
export function OverallPane({ evaluation, form }: Props) {
  const t = useTranslations('kpiEvaluation');
  const w = useTranslations('kpiEvaluationWhole');
  const sides = (['self', 'manager', 'hr'] as const).filter(
    (side) => form?.side === side || evaluation[overallTexts[side][0]] !== undefined,
  );
  return (
    <article className={classes['pane']}>
      <header className={classes['head']}>
        <h2 tabIndex={-1} id="shown-item">
          {t('overall')}
        </h2>
        <p className="muted">{w('overallLead')}</p>
      </header>
      {sides.length === 0 && <p className="muted">{t('nothingHandedIn')}</p>}
      <div className={classes['sides']}>
        {sides.map((side) => (
          <section key={side} className={classes['side']} data-written={form?.side === side || undefined}>
            <h3>{t(side)}</h3>
            {form?.side === side ? (
              <Written form={form} evaluation={evaluation} />
            ) : (
              <Read side={side} evaluation={evaluation} />
            )}
          </section>
        ))}
      </div>
      <Suspense>
        <EvidencePart evaluationId={evaluation.id} itemId={undefined} mayAdd={form !== undefined} isRequired={false} />
      </Suspense>
    </article>
  );
}

function Written({ form, evaluation }: { form: Form; evaluation: KpiEvaluation }) {
  const w = useTranslations('kpiEvaluationWhole');
  if (form.side === 'self') return <LongText form={form} name="self_comment" label={w('field.self_comment')} />;
  if (form.side === 'manager')
    return (
      <>
        <LongText form={form} name="manager_comment" label={w('field.manager_comment')} />
        <LongText form={form} name="strengths" label={w('field.strengths')} />
        <LongText form={form} name="improvements" label={w('field.improvements')} />
      </>
    );
  return <HrFields form={form} evaluation={evaluation} />;
}

function HrFields({ form, evaluation: { suggested_flag: suggested } }: { form: Form; evaluation: KpiEvaluation }) {
  const t = useTranslations('kpiEvaluation');
  const w = useTranslations('kpiEvaluationWhole');
  const flag = form.values['performance_flag'] ?? '';
  const differs = flag !== '' && flag !== (suggested ?? '');
  return (
    <>
      <LongText form={form} name="hr_comment" label={w('field.hr_comment')} required />
      <div>
        <Segments
          label={w('field.performance_flag')}
          choices={performanceFlags.map((value) => ({ value, label: t(`flag.${value}`) }))}
          value={flag}
          error={form.errors['performance_flag']}
          onChange={(value) => form.change({ performance_flag: value })}
        />
        <p className={classes['computed']}>
          {suggested ? t('suggested', { flag: t(`flag.${suggested}`) }) : w('nothingSuggested')}
        </p>
      </div>
      {(differs || (form.values['flag_reason'] ?? '') !== '') && (
        <LongText
          form={form}
          name="flag_reason"
          label={w('field.flag_reason')}
          description={w('flagReasonHint')}
          required={differs}
        />
      )}
    </>
  );
}

function Read({ side, evaluation }: { side: Side; evaluation: KpiEvaluation }) {
  const t = useTranslations('kpiEvaluation');
  const w = useTranslations('kpiEvaluationWhole');
  if (side === 'self') return <LabelledText label={w('field.self_comment')} text={evaluation.self_comment} />;
  if (side === 'manager')
    return (
      <>
        <LabelledText label={w('field.manager_comment')} text={evaluation.manager_comment} />
        <LabelledText label={w('field.strengths')} text={evaluation.strengths} />
        <LabelledText label={w('field.improvements')} text={evaluation.improvements} />
      </>
    );
  const { performance_flag: flag, flag_reason: reason } = evaluation;
  return (
    <>
      <LabelledText label={w('field.hr_comment')} text={evaluation.hr_comment} />
      {flag !== undefined && <LabelledText label={w('field.performance_flag')} text={flag && t(`flag.${flag}`)} />}
      {reason && <LabelledText label={w('field.flag_reason')} text={reason} />}
    </>
  );
}
