import { Button } from '@mantine/core';
import { evaluationBulk, type EvaluationBulk } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { BulkProgress } from './BulkProgress.tsx';

type Props = { shown: number | undefined; onShow: (id: number | undefined) => void };

/** The user's running bulk step, shown above the list whenever the user returns, and the one opened in a dialog. */
export function BulkRuns({ shown, onShow }: Props) {
  const t = useTranslations('kpiEvaluationBulk');
  const running = useQuery({
    ...load(evaluationBulk.list, { query: { status: 'processing', per_page: 1 } }),
    refetchInterval: ({ state }) => ((state.data?.data.length ?? 0) > 0 ? 2_000 : false),
  });
  const [bulk] = running.data?.data ?? [];
  return (
    <>
      {bulk && <Line bulk={bulk} onShow={() => onShow(bulk.id)} />}
      {shown !== undefined && (
        <Dialog title={t('runTitle')} opened onClose={() => onShow(undefined)} size="md">
          <BulkProgress id={shown} onClose={() => onShow(undefined)} />
        </Dialog>
      )}
    </>
  );
}

function Line({ bulk: { counts }, onShow }: { bulk: EvaluationBulk; onShow: () => void }) {
  const t = useTranslations('kpiEvaluationBulk');
  return (
    <Notice>
      <span>{t('progress', { done: counts.total - counts.open, total: counts.total })}</span>{' '}
      <Button variant="default" size="compact-sm" onClick={onShow}>
        {t('show')}
      </Button>
    </Notice>
  );
}
