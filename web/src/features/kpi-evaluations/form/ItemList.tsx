import { Stack } from '@mantine/core';
import type { KpiEvaluation } from '@tenure/contract';
import { IconAlertCircle, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import type { Form } from './fields.tsx';
import { useFigures } from './figures.ts';
import { gapsOf, gapsOfItem } from './gaps.ts';
import classes from './list.module.css';

type Props = { evaluation: KpiEvaluation; form: Form | undefined; shown: number; onGo?: () => void };

/** The items with their weights and states; the last entry is the overall part. */
export function ItemList({ evaluation, form, shown, onGo }: Props) {
  const t = useTranslations('kpiEvaluation');
  const { weight } = useFigures();
  const wholeDone = form?.side === 'hr' && gapsOf(evaluation, form.values, 'hr').length === 0;
  const entry = (item: number) => ({ evaluation, item, isShown: shown === item, onGo });
  return (
    <nav aria-label={t('items')}>
      <Stack component="ol" gap={2}>
        {evaluation.items.map((item) => (
          <Entry key={item.id} {...entry(item.id)} state={stateOf(item, form)}>
            <span className={classes['name']}>
              <bdi>{item.name}</bdi>
            </span>
            <bdi className="numbers muted">{weight(item.weight)}</bdi>
          </Entry>
        ))}
        <Entry {...entry(0)} state={form?.side === 'hr' ? (wholeDone ? 'done' : 'open') : 'none'}>
          <span className={classes['name']}>{t('overall')}</span>
        </Entry>
      </Stack>
    </nav>
  );
}

/** The state of an item for the person who fills in the form. */
function stateOf(item: KpiEvaluation['items'][number], form: Form | undefined): State {
  if (Object.keys(form?.errors ?? {}).some((name) => name.startsWith(`item.${item.id}.`))) return 'wrong';
  if (!form || form.side === 'hr') return 'none';
  return gapsOfItem(item, form.values, form.side).length === 0 ? 'done' : 'open';
}

type EntryProps = {
  evaluation: KpiEvaluation;
  item: number;
  isShown: boolean;
  state: State;
  onGo: (() => void) | undefined;
  children: ReactNode;
};

const Entry = ({ evaluation, item, isShown, state, onGo, children }: EntryProps) => (
  <li>
    <Link
      to={paths.kpiEvaluation}
      params={{ id: String(evaluation.id) }}
      search={{ item }}
      className={classes['entry']}
      aria-current={isShown ? 'true' : undefined}
      {...(onGo && { onClick: onGo })}
    >
      <Mark state={state} />
      {children}
    </Link>
  </li>
);

const marks = { done: IconCircleCheckFilled, open: IconCircle, wrong: IconAlertCircle } as const;

type State = keyof typeof marks | 'none';

function Mark({ state }: { state: State }) {
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
