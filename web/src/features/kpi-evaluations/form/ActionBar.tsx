import { ActionIcon, Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { KpiEvaluation } from '@tenure/contract';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { FootBar } from '../../../ui/FootBar.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { SaveState } from '../../../ui/SaveState.tsx';
import type { Draft, DraftState } from './draft.ts';
import type { Form } from './fields.tsx';
import type { SubmitAction } from './search.ts';
import { Total } from './Total.tsx';

const ItemChoice = lazyPart(() => import('./ItemChoice.tsx'), 'ItemChoice');

type Props = {
  evaluation: KpiEvaluation;
  draft: Draft;
  state: DraftState;
  form: Form | undefined;
  /** The shown item; 0 for the overall part. */
  shown: number;
  isPhone: boolean;
  onShow: (item: number) => void;
  onExplain: () => void;
  /** Submits the form, if the user may. */
  submit: SubmitAction | undefined;
  onSubmit: () => void;
};

/** The bar at the bottom: the score so far, the save state, and navigation between items. */
export function ActionBar(props: Props) {
  const { evaluation, draft, state, form, isPhone, submit, onSubmit, onExplain } = props;
  const t = useTranslations('kpiEvaluation');
  const atEnd = props.shown === 0;
  return (
    <FootBar
      label={t('bar')}
      actions={
        <>
          {form && <SaveState state={state} onRetry={() => void draft.flush()} />}
          <Steps {...props} />
          {submit && (!isPhone || atEnd) && (
            <Button onClick={onSubmit} aria-label={t(`do.${submit}`)} size={isPhone ? 'md' : 'sm'}>
              {isPhone ? t(`short.${submit}`) : t(`do.${submit}`)}
            </Button>
          )}
        </>
      }
    >
      <Total evaluation={evaluation} state={state} isPhone={isPhone} onExplain={onExplain} />
    </FootBar>
  );
}

function Steps({ evaluation, form, shown, isPhone, onShow, submit }: Props) {
  const t = useTranslations('kpiEvaluation');
  const order = [...evaluation.items.map(({ id }) => id), 0];
  const index = order.indexOf(shown);
  const isLast = index === order.length - 1;
  const go = (by: number) => onShow(order[index + by] ?? shown);
  return (
    <Group gap={6} wrap="nowrap">
      <Arrow
        label={t('previous')}
        isPhone={isPhone}
        isEnd={index === 0}
        onClick={() => go(-1)}
        Icon={IconChevronLeft}
      />
      {isPhone && (
        <Suspense>
          <ItemChoice evaluation={evaluation} form={form} shown={shown} index={index} />
        </Suspense>
      )}
      {!(isPhone && isLast && submit) && (
        <Arrow label={t('next')} isPhone={isPhone} isEnd={isLast} onClick={() => go(1)} Icon={IconChevronRight} />
      )}
    </Group>
  );
}

type ArrowProps = {
  label: string;
  isPhone: boolean;
  isEnd: boolean;
  onClick: () => void;
  Icon: typeof IconChevronLeft;
};

/** A button to the previous or next item; disabled at the end without losing the focus. */
const Arrow = ({ label, isPhone, isEnd, onClick, Icon }: ArrowProps) => (
  <ActionIcon
    variant="default"
    size={isPhone ? 42 : 36}
    aria-label={label}
    aria-disabled={isEnd || undefined}
    data-disabled={isEnd}
    onClick={() => !isEnd && onClick()}
  >
    <Icon size={18} className="directional" aria-hidden />
  </ActionIcon>
);
