import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Message } from '../../../ui/Message.tsx';
import { endingFilters, reviewFilters, type Change, type ProbationTab } from '../search.ts';

type Props = { tab: ProbationTab; isNarrowed: boolean; onChange: (change: Change) => void };

/** An empty tab: without any rows, or without a match for its filters. */
export function EmptyState({ tab, isNarrowed, onChange }: Props) {
  const t = useTranslations('probation');
  if (!isNarrowed) return <Message title={t(`none.${tab}`)}>{t(`noneText.${tab}`)}</Message>;
  const clear = (
    <Button variant="default" onClick={() => onChange(noFilters(tab))}>
      {t('clear')}
    </Button>
  );
  return (
    <Message title={t('noResult')} actions={clear}>
      {t('noResultText')}
    </Message>
  );
}

/** Clears all filters of a tab. */
const noFilters = (tab: ProbationTab): Change =>
  Object.fromEntries((tab === 'ending' ? endingFilters : reviewFilters).map((name) => [name, undefined]));
