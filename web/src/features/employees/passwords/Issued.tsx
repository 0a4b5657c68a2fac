import { Button, Group, Progress } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useFormatter, useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { csvOf } from '../../../ui/charts/csv.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { download } from '../../../ui/download.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import type { IssuedPassword } from './issue.ts';
import { list } from './list.ts';
import { RefusedList } from './RefusedList.tsx';
import { Slips } from './Slips.tsx';
import type { Issuing } from './use-issue.ts';

const signInUrl = () => `${window.location.origin}${paths.signIn}`;

type Props = { issuing: Issuing; onGoOn: () => void; onKept: () => void; onClose: () => void };

/** The progress of issuing, then the one-time passwords, which are shown only once. */
export function Issued({ issuing, onGoOn, onKept, onClose }: Props) {
  const t = useTranslations('passwords');
  const { purpose, delivery, total, left, given, refused, error, isRunning } = issuing;
  const done = total - left.length;
  const isShown = delivery === 'screen' && given.length > 0;
  return (
    <>
      {isRunning ? (
        <>
          <output>{t('running', { done, total })}</output>
          <Progress value={(done / Math.max(total, 1)) * 100} aria-label={t('progress')} />
        </>
      ) : (
        <output>{t(`${purpose}.done.${delivery}`, { count: given.length })}</output>
      )}
      <ErrorNotice error={error} />
      {error && <p>{t('stopped', { count: left.length })}</p>}
      {isShown && !isRunning && <Keep given={given} onKept={onKept} />}
      {isShown && <Table given={given} />}
      <RefusedList purpose={purpose} refused={refused} />
      <DialogActions>
        {error && <Button onClick={onGoOn}>{t('goOn')}</Button>}
        <Button variant={error || isShown ? 'default' : 'filled'} onClick={onClose} disabled={isRunning}>
          {t('close')}
        </Button>
      </DialogActions>
    </>
  );
}

function Keep({ given, onKept }: { given: readonly IssuedPassword[]; onKept: () => void }) {
  const t = useTranslations('passwords');
  const format = useFormatter();
  const url = signInUrl();
  const print = () => {
    onKept();
    window.print();
  };
  const save = () => {
    const head = (['person', 'number', 'email', 'url', 'password', 'until'] as const).map((name) => t(`head.${name}`));
    const rows = given.map(({ person, email, one_time_password = '', expires_at }) => [
      person.name,
      person.employee_number,
      email,
      url,
      one_time_password,
      format.dateTime(new Date(expires_at), { dateStyle: 'medium', timeStyle: 'short' }),
    ]);
    onKept();
    download(new Blob([csvOf([head, ...rows])], { type: 'text/csv;charset=utf-8' }), `${t('fileName')}.csv`);
  };
  return (
    <>
      <p>
        <strong>{t('once')}</strong>
      </p>
      <Group gap="xs">
        <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={print}>
          {t('print')}
        </Button>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
          {t('download')}
        </Button>
      </Group>
      <Slips given={given} url={url} />
    </>
  );
}

function Table({ given }: { given: readonly IssuedPassword[] }) {
  const t = useTranslations('passwords');
  const columns: Column<IssuedPassword>[] = [
    {
      id: 'person',
      header: t('head.person'),
      cell: ({ person }) => (
        <>
          <bdi>{person.name}</bdi> <span className="muted">{person.employee_number}</span>
        </>
      ),
    },
    { id: 'email', header: t('head.email'), cell: ({ email }) => email },
    { id: 'password', header: t('head.password'), cell: (row) => <code>{row.one_time_password}</code> },
    { id: 'until', header: t('head.until'), cell: ({ expires_at }) => <Moment value={expires_at} /> },
  ];
  return (
    <div style={list}>
      <DataTable
        label={t('list')}
        columns={columns}
        rows={given}
        rowKey={({ person }) => person.id}
        card={(row) => <CardOf columns={columns} row={row} />}
      />
    </div>
  );
}
