import { performanceFlags, type KpiEvaluation } from '@tenure/contract';
import { Suspense, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Segments, Words, type Form } from './fields.tsx';
import classes from './pane.module.css';
import { EvidencePart } from './parts.ts';
import { overallTexts, type Side } from './values.ts';

type Props = { evaluation: KpiEvaluation; form: Form | undefined };

/** What is said about the evaluation as a whole, by each side that may be seen. */
export function OverallPane({ evaluation, form }: Props) {
  const t = useTranslations('kpiEvaluation');
  const sides = (['self', 'manager', 'hr'] as const).filter(
    (side) => form?.side === side || evaluation[overallTexts[side][0]] !== undefined,
  );
  return (
    <article className={classes['pane']}>
      <header className={classes['head']}>
        <h2 tabIndex={-1} id="shown-item">
          {t('overall')}
        </h2>
        <p className="muted">{t('overallLead')}</p>
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
        <EvidencePart evaluationId={evaluation.id} itemId={undefined} mayAdd={form !== undefined} isDemanded={false} />
      </Suspense>
    </article>
  );
}

function Written({ form, evaluation }: { form: Form; evaluation: KpiEvaluation }) {
  const t = useTranslations('kpiEvaluation');
  if (form.side === 'self') return <Words form={form} name="self_comment" label={t('selfComment')} />;
  if (form.side === 'manager')
    return (
      <>
        <Words form={form} name="manager_comment" label={t('managerComment')} />
        <Words form={form} name="strengths" label={t('strengths')} />
        <Words form={form} name="improvements" label={t('improvements')} />
      </>
    );
  return <HrFields form={form} evaluation={evaluation} />;
}

function HrFields({ form, evaluation: { suggested_flag: suggested } }: { form: Form; evaluation: KpiEvaluation }) {
  const t = useTranslations('kpiEvaluation');
  const flag = form.values['performance_flag'] ?? '';
  const differs = flag !== '' && flag !== (suggested ?? '');
  return (
    <>
      <Words form={form} name="hr_comment" label={t('hrComment')} required />
      <div>
        <Segments
          label={t('flagLabel')}
          choices={performanceFlags.map((value) => ({ value, label: t(`flag.${value}`) }))}
          value={flag}
          error={form.errors['performance_flag']}
          onChange={(value) => form.change({ performance_flag: value })}
        />
        <p className={classes['computed']}>
          {suggested ? t('suggested', { flag: t(`flag.${suggested}`) }) : t('nothingSuggested')}
        </p>
      </div>
      {(differs || (form.values['flag_reason'] ?? '') !== '') && (
        <Words
          form={form}
          name="flag_reason"
          label={t('flagReason')}
          description={t('flagReasonHint')}
          required={differs}
        />
      )}
    </>
  );
}

function Read({ side, evaluation }: { side: Side; evaluation: KpiEvaluation }) {
  const t = useTranslations('kpiEvaluation');
  if (side === 'self') return <Said label={t('selfComment')} text={evaluation.self_comment} />;
  if (side === 'manager')
    return (
      <>
        <Said label={t('managerComment')} text={evaluation.manager_comment} />
        <Said label={t('strengths')} text={evaluation.strengths} />
        <Said label={t('improvements')} text={evaluation.improvements} />
      </>
    );
  const { performance_flag: flag, flag_reason: reason } = evaluation;
  return (
    <>
      <Said label={t('hrComment')} text={evaluation.hr_comment} />
      {flag !== undefined && <Said label={t('flagLabel')} text={flag && t(`flag.${flag}`)} />}
      {reason && <Said label={t('flagReason')} text={reason} />}
    </>
  );
}

const Said = ({ label, text }: { label: string; text: ReactNode }) => (
  <div className={classes['said']}>
    <h4>{label}</h4>
    {text ? <p className={classes['words']}>{text}</p> : <p className="muted">–</p>}
  </div>
);
