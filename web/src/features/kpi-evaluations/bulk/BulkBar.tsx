import { Box, Button, Group } from '@mantine/core';
import { evaluationBulkKinds, maxBulkEvaluations } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { BulkDialog, type BulkKind } from './BulkDialog.tsx';
import type { Selected } from './use-selected.ts';

type Props = {
  selected: Selected;
  /** How many evaluations the list finds, and by which query. */
  total: number;
  query: Record<string, unknown>;
};

/** What HR can do with the selected evaluations. Over 40 lines: one row of buttons. */
export function BulkBar({ selected, total, query }: Props) {
  const t = useTranslations('kpiEvaluationBulk');
  const { can } = useSession();
  const [kind, setKind] = useState<BulkKind>();
  const { ids, count } = selected;
  return (
    <Group
      gap={8}
      px="gutter"
      py={8}
      bg="var(--accent-soft)"
      style={{ borderBlockStart: '1px solid var(--line)' }}
      aria-label={t('label')}
      renderRoot={(props) => <section {...props} />}
    >
      <Box component="output" me={8} fw={600}>
        {t('selected', { count })}
      </Box>
      {evaluationBulkKinds
        .filter((one) => one !== 'remind' || can('kpi-cycle.update'))
        .map((one) => (
          <Button
            key={one}
            variant="default"
            size="compact-sm"
            disabled={count > maxBulkEvaluations}
            onClick={() => setKind(one)}
          >
            {t(`kind.${one}`)}
          </Button>
        ))}
      {total > count && total <= maxBulkEvaluations && (
        <Button variant="subtle" size="compact-sm" onClick={() => void selected.all(query)}>
          {t('all', { total })}
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" onClick={selected.clear}>
        {t('clear')}
      </Button>
      {count > maxBulkEvaluations && <span role="alert">{t('limit', { most: maxBulkEvaluations })}</span>}
      {selected.failed && <span role="alert">{t('unread')}</span>}
      {kind && <BulkDialog kind={kind} ids={[...ids]} onClose={() => setKind(undefined)} onDone={selected.clear} />}
    </Group>
  );
}
