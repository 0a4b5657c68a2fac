import { IconCheck } from '@tabler/icons-react';
import { useFormatter, useTranslations } from 'use-intl';
import classes from './Steps.module.css';

const steps = ['upload', 'columns', 'check', 'import'] as const;
export type ImportStep = (typeof steps)[number];

/** How far an import is; what is done has a tick. */
export function Steps({ at, done = false }: { at: ImportStep; done?: boolean }) {
  const t = useTranslations('imports.step');
  const format = useFormatter();
  const current = steps.indexOf(at);
  return (
    <ol className={classes['steps']} aria-label={t('label')}>
      {steps.map((step, index) => {
        const isDone = index < current || (done && index === current);
        return (
          <li key={step} aria-current={index === current ? 'step' : undefined} data-done={isDone || undefined}>
            <span className={classes['number']} aria-hidden>
              {isDone ? <IconCheck size={13} stroke={2.4} /> : format.number(index + 1)}
            </span>
            {t(step)}
            {isDone && <span className="visually-hidden"> {t('done')}</span>}
          </li>
        );
      })}
    </ol>
  );
}
