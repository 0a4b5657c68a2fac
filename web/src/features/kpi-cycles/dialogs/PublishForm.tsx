import { Box, Button, Checkbox } from '@mantine/core';
import { kpiCycles } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SectionSkeleton } from '../SectionSkeleton.tsx';
import { DepartmentChoice } from './DepartmentChoice.tsx';
import { PreflightView } from './PreflightView.tsx';
import type { DialogProps } from './dialog-props.ts';

function usePreflight(id: number, chosen: readonly number[] | undefined) {
  return useQuery({
    ...load(kpiCycles.preflight, { params: { id }, query: { department_ids: chosen?.join(',') } }),
    placeholderData: keepPreviousData,
    enabled: chosen === undefined || chosen.length > 0,
    staleTime: 0,
  });
}

/** Publishes the shown plan. If the plan has changed, it is shown again. */
function usePublish(id: number, onDone: DialogProps['onDone'], onRefused: () => void) {
  const t = useTranslations('kpiCycles');
  const [isChanged, setChanged] = useState(false);
  const send = useSend(kpiCycles.publish);
  const publish = (plan_hash: string, chosen: readonly number[] | undefined, withoutReviewer: boolean) =>
    send.mutate(
      {
        params: { id },
        body: {
          plan_hash,
          ...(chosen && { department_ids: [...chosen] }),
          ...(withoutReviewer && { allow_missing_reviewer: true }),
        },
      },
      {
        onSuccess: ({ result }) =>
          onDone(result.status === 'processing' ? t('publishStarted') : t('publishDone', { count: result.created })),
        onError: (error) => {
          setChanged('plan_hash' in error.fieldErrors);
          onRefused();
        },
      },
    );
  return { send, isChanged, publish };
}

/** Shows the effect of publishing and its problems first, since publishing cannot be undone. */
export function PublishForm({ cycle, onDone, onClose }: DialogProps) {
  const t = useTranslations('kpiCycles');
  const { can } = useSession();
  const [chosen, setChosen] = useState<readonly number[]>();
  const [goesOn, setGoesOn] = useState(false);
  const { id } = cycle;
  const query = usePreflight(id, chosen);
  const { send, isChanged, publish } = usePublish(id, onDone, () => void query.refetch());
  if (query.isPending) return <SectionSkeleton />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const found = query.data.data;
  const missing = found.blockers.filter(({ code }) => code === 'no_reviewer');
  const mayGoOn = missing.length > 0 && can('kpi-evaluation.assign-reviewer');
  const blocked = found.blockers.length - (mayGoOn && goesOn ? missing.length : 0);
  const isEmpty = chosen?.length === 0;
  return (
    <>
      {isChanged ? <Notice>{t('planChanged')}</Notice> : <ErrorNotice error={send.error} />}
      <DepartmentChoice cycleId={id} chosen={chosen} onChange={setChosen} />
      {!isEmpty && <PreflightView cycle={cycle} preflight={found} isStale={query.isPlaceholderData} />}
      {mayGoOn && !isEmpty && <AllowMissingReviewers count={missing.length} checked={goesOn} onChange={setGoesOn} />}
      {blocked > 0 && !isEmpty && <MendFirst />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('notYet')}
        </Button>
        <Button
          loading={send.isPending}
          disabled={blocked > 0 || isEmpty || query.isFetching}
          onClick={() => publish(found.plan_hash, chosen, mayGoOn && goesOn)}
        >
          {t('do.publish')}
        </Button>
      </DialogActions>
    </>
  );
}

function MendFirst() {
  const t = useTranslations('kpiCycles');
  return (
    <Box component="p" c="var(--ink-2)" fz="sm" lh={1.45}>
      {t('mendFirst')}
    </Box>
  );
}

type AllowProps = { count: number; checked: boolean; onChange: (on: boolean) => void };

/** Allows publishing evaluations without a reviewer. */
function AllowMissingReviewers({ count, checked, onChange }: AllowProps) {
  const t = useTranslations('kpiCycles');
  return (
    <Checkbox
      label={t('goOnWithout', { count })}
      description={t('goOnWithoutHint')}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
