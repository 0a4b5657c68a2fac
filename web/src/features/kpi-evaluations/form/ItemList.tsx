import type { KpiEvaluation } from '@tenure/contract';
import { IconAlertCircle, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import type { Form } from './fields.tsx';
import { useFigures } from './figures.ts';
import { gapsOf, gapsOfItem } from './gaps.ts';
import classes from './list.module.css';

type Props = { evaluation: KpiEvaluation; form: Form | undefined; shown: number; onGo?: () => void };

/** Every item with its weight, and whether it is done; the last entry is the whole. */
export function ItemList({ evaluation, form, shown, onGo }: Props) {
  const t = useTranslations('kpiEvaluation');
  const { weight } = useFigures();
  const hasError = (item: number) => Object.keys(form?.errors ?? {}).some((name) => name.startsWith(`item.${item}.`));
  const isDone = (item: (typeof evaluation.items)[number]) =>
    form !== undefined && form.side !== 'hr' && gapsOfItem(item, form.values, form.side).length === 0;
  const wholeDone = form?.side === 'hr' && gapsOf(evaluation, form.values, 'hr').length === 0;
  const params = { id: String(evaluation.id) };
  return (
    <nav aria-label={t('items')} className={classes['list']}>
      <ol>
        {evaluation.items.map((item) => (
          <li key={item.id}>
            <Link
              to={paths.kpiEvaluation}
              params={params}
              search={{ item: item.id }}
              className={classes['entry']}
              aria-current={shown === item.id ? 'true' : undefined}
              {...(onGo && { onClick: onGo })}
            >
              <Mark
                state={
                  hasError(item.id) ? 'wrong' : isDone(item) ? 'done' : form?.side === 'hr' || !form ? 'none' : 'open'
                }
              />
              <span className={classes['name']}>
                <bdi>{item.name}</bdi>
              </span>
              <bdi className="numbers muted">{weight(item.weight)}</bdi>
            </Link>
          </li>
        ))}
        <li>
          <Link
            to={paths.kpiEvaluation}
            params={params}
            search={{ item: 0 }}
            className={classes['entry']}
            aria-current={shown === 0 ? 'true' : undefined}
            {...(onGo && { onClick: onGo })}
          >
            <Mark state={form?.side === 'hr' ? (wholeDone ? 'done' : 'open') : 'none'} />
            <span className={classes['name']}>{t('overall')}</span>
          </Link>
        </li>
      </ol>
    </nav>
  );
}

const marks = { done: IconCircleCheckFilled, open: IconCircle, wrong: IconAlertCircle } as const;

function Mark({ state }: { state: keyof typeof marks | 'none' }) {
  const t = useTranslations('kpiEvaluation');
  if (state === 'none') return null;
  const Icon = marks[state];
  return (
    <>
      <Icon size={18} className={classes['mark']} data-state={state} aria-hidden />
      <span className="visually-hidden">{t(`mark.${state}`)}</span>
    </>
  );
}
