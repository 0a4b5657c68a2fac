import { Button } from '@mantine/core';
import { breakGlass, type BreakGlassAccount } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../../api/query.ts';
import { closing } from '../../../ui/closing.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { ScrollPane } from '../../../ui/ScrollPane.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { useLastShown } from '../../../ui/use-last-shown.ts';
import { useToast } from '../../../ui/toasts.tsx';

type Row = BreakGlassAccount & { is_chosen: boolean };

const most = 5;

/** The administrators, and which of them can always sign in, whatever the rules require. */
export function Emergency() {
  const t = useTranslations('signInRules');
  const query = useQuery(load(breakGlass.list, {}));
  const [asked, setAsked] = useState<Row>();
  const chosen = query.data?.data.accounts ?? [];
  const columns = useColumns(chosen.length, setAsked);
  if (query.isPending) return <LoadingLines lines={5} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { accounts, candidates, revision } = query.data.data;
  const rows = [
    ...accounts.map((account) => ({ ...account, is_chosen: true })),
    ...candidates.map((account) => ({ ...account, is_chosen: false })),
  ];
  return (
    <ScrollPane>
      <p className="muted" style={{ padding: '16px var(--gutter) 12px', maxWidth: '46rem' }}>
        {t('emergencyLead')} <span className="numbers">{t('full', { count: accounts.length })}</span>
      </p>
      <DataTable<Row>
        label={t('chosen')}
        columns={columns}
        rows={rows}
        rowKey={({ user_id }) => user_id}
        card={(row) => <CardOf columns={columns} row={row} />}
      />
      <Confirm row={asked} chosen={accounts} revision={revision} onClose={() => setAsked(undefined)} />
    </ScrollPane>
  );
}

function useColumns(count: number, onAsk: (row: Row) => void): Column<Row>[] {
  const t = useTranslations('signInRules');
  const moment = (value: string | null) =>
    value ? <Moment value={value} /> : <span className="muted">{t('never')}</span>;
  return [
    {
      id: 'account',
      header: t('account'),
      cell: ({ name, email }) => (
        <>
          <bdi>{name}</bdi>
          {name !== email && (
            <div className="muted small" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{email}</bdi>
            </div>
          )}
        </>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      cell: ({ is_chosen }) => (
        <StatusBadge tone={is_chosen ? 'info' : 'quiet'} label={t(is_chosen ? 'chosen' : 'notChosen')} />
      ),
    },
    { id: 'factor', header: t('factor'), cell: (row) => <Factor row={row} /> },
    { id: 'used', header: t('lastUse'), cell: ({ last_used_at }) => moment(last_used_at) },
    { id: 'last', header: t('lastSignIn'), cell: ({ last_login_at }) => moment(last_login_at) },
    {
      id: 'actions',
      header: t('actions'),
      headerHidden: true,
      cell: (row) => <Act row={row} isFull={count >= most} onAsk={onAsk} />,
    },
  ];
}

function Factor({ row: { has_second_factor, has_password, is_chosen } }: { row: Row }) {
  const t = useTranslations('signInRules');
  if (is_chosen && !has_password) return <StatusBadge tone="danger" label={t('noPassword')} />;
  const tone = has_second_factor ? 'good' : is_chosen ? 'danger' : 'quiet';
  return <StatusBadge tone={tone} label={t(has_second_factor ? 'has' : 'hasNot')} />;
}

type ActProps = { row: Row; isFull: boolean; onAsk: (row: Row) => void };

function Act({ row, isFull, onAsk }: ActProps) {
  const t = useTranslations('signInRules');
  if (!row.is_chosen && !row.has_second_factor) return <span className="muted small">{t('needsFactor')}</span>;
  if (!row.is_chosen && isFull) return null;
  return (
    <Button variant="default" size="compact-sm" onClick={() => onAsk(row)}>
      {t(row.is_chosen ? 'remove' : 'choose')}
      <span className="visually-hidden"> {row.name}</span>
    </Button>
  );
}

type ConfirmProps = {
  row: Row | undefined;
  chosen: readonly BreakGlassAccount[];
  revision: number;
  onClose: () => void;
};

function Confirm({ row, chosen, revision, onClose }: ConfirmProps) {
  const t = useTranslations('signInRules');
  const toast = useToast();
  const send = useSend(breakGlass.update);
  const shown = useLastShown(row);
  const close = closing(onClose, send);
  if (!shown) return null;
  const { user_id, name, is_chosen } = shown;
  const others = chosen.map((account) => account.user_id).filter((id) => id !== user_id);
  const save = () =>
    send.mutate(
      { body: { user_ids: is_chosen ? others : [...others, user_id], revision } },
      {
        onSuccess: () => {
          close();
          toast({ text: t('emergencySaved') });
        },
      },
    );
  return (
    <Dialog title={t(is_chosen ? 'removeTitle' : 'chooseTitle', { name })} opened={row !== undefined} onClose={close}>
      <DialogForm onSubmit={save}>
        <p>{t(is_chosen ? 'removeText' : 'chooseText')}</p>
        <ErrorNotice error={send.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t(is_chosen ? 'confirmRemove' : 'confirmChoose')}
          loading={send.isPending}
          {...(is_chosen && { color: 'red' })}
        />
      </DialogForm>
    </Dialog>
  );
}
