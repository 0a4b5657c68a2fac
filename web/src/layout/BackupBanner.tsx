import { IconDatabaseExport } from '@tabler/icons-react';
import { backups } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { load } from '../api/query.ts';
import { paths } from '../paths.ts';
import { Banner } from './Banner.tsx';

const minute = 60_000;

/** Shows on every page that backups fail or are too old, or that point-in-time recovery is interrupted. */
export function BackupBanner() {
  const t = useTranslations('backups.banner');
  const format = useFormatter();
  const { data } = useQuery({ ...load(backups.status, {}), staleTime: 5 * minute, refetchInterval: 10 * minute });
  const status = data?.data;
  if (!status?.alert) return null;
  const work = status.works.find(({ kind }) => kind === 'backup');
  const since = work?.last_success?.finished_at;
  const values = {
    count: work?.failures ?? 0,
    date: since ? format.dateTime(new Date(since), { dateStyle: 'medium', timeStyle: 'short' }) : '',
  };
  return (
    <Banner tone="danger">
      <IconDatabaseExport size={17} aria-hidden />
      <span style={{ flex: '1 1 12rem' }}>
        {status.alert === 'failing' && <>{t('failing', values)} </>}
        {status.alert === 'bases_failing' ? t('basesFailing') : since ? t('last', values) : t('none')}
      </span>
      <Link to={paths.backups}>{t('view')}</Link>
    </Banner>
  );
}
