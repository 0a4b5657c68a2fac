import { Button, Stack } from '@mantine/core';
import { IconDatabaseExport } from '@tabler/icons-react';
import { backups, type BackupStatus } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { openHelp } from '../../layout/help/open-help.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Bases } from './Bases.tsx';
import { History } from './History.tsx';
import { Work } from './Work.tsx';

/** The state of backups, their verification and their trial restores, and their history. */
export function BackupsPage() {
  const query = useQuery(load(backups.status, {}));
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { data: status } = query.data;
  const wasUsed = status.works.some(({ last_success, last_failure }) => last_success ?? last_failure);
  return (
    <>
      <Header status={status} />
      {status.folder === null ? (
        <NotSetUp />
      ) : (
        <AutoGrid component="ul" min="19rem" gap={14} px="gutter" pb={20}>
          {status.works.map((work) => (
            <Work key={work.kind} work={work} />
          ))}
          {status.bases && <Bases bases={status.bases} />}
        </AutoGrid>
      )}
      {(status.folder !== null || wasUsed) && <History />}
    </>
  );
}

function Header({ status: { folder, kept, keep } }: { status: BackupStatus }) {
  const t = useTranslations('backups');
  if (folder === null) return <PageHeader title={t('title')} />;
  return (
    <PageHeader
      title={t('title')}
      lead={
        <Stack component="span" gap={0}>
          <span>{kept === null ? t('writtenTo', { folder }) : t('keptIn', { count: kept, folder })}</span>
          {kept !== null && <span>{t('keep', { keep })}</span>}
        </Stack>
      }
    />
  );
}

function NotSetUp() {
  const t = useTranslations('backups');
  const help = (
    <Button variant="default" onClick={openHelp}>
      {t('none.help')}
    </Button>
  );
  return (
    <Message icon={IconDatabaseExport} title={t('none.title')} actions={help}>
      {t.rich('none.body', { code: (text) => <code>{text}</code> })}
    </Message>
  );
}
