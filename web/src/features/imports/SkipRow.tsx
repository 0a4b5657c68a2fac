import { Button } from '@mantine/core';
import type { StagedRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useImportKind } from './kinds.ts';

type Props = { id: number; row: StagedRow; onFixed: (row: StagedRow) => void };

/** Skips a row of the import, or includes it again. */
export function SkipRow({ id, row, onFixed }: Props) {
  const t = useTranslations('imports');
  const send = useSend(useImportKind().api.fixRow);
  const toggle = () =>
    send.mutate(
      { params: { id, row: row.row }, body: { left_out: !row.left_out } },
      { onSuccess: ({ data }) => onFixed(data) },
    );
  return (
    <>
      <Button size="compact-xs" variant="subtle" color="gray" loading={send.isPending} onClick={toggle}>
        {t(row.left_out ? 'takeIn' : 'leaveOut')}
        <span className="visually-hidden"> {t('ofRow', { row: row.row })}</span>
      </Button>
      {send.error && <span role="alert">{send.error.message}</span>}
    </>
  );
}
