import { Box, Button, Group, Skeleton } from '@mantine/core';
import { notifications } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { NotificationItem } from './NotificationItem.tsx';
import { useUnread } from './use-unread.ts';

/** The latest notifications, in the popover of the bell. */
export function Latest() {
  const t = useTranslations('notifications');
  const table = useTranslations('table');
  const query = useQuery(load(notifications.list, { query: { per_page: 6 } }));
  const readAll = useSend(notifications.readAll);
  const rows = query.data?.data ?? [];
  return (
    <>
      <Head readAll={readAll} />
      <ErrorNotice error={failedWithoutData(query) ? query.error : readAll.error} />
      {query.isPending && (
        <Box px={14} py={10}>
          <output className="visually-hidden">{table('loading')}</output>
          <Skeleton height={52} />
        </Box>
      )}
      {query.data?.meta.total === 0 && (
        <Box component="p" className="muted" px={14} py={10}>
          {t('noneText')}
        </Box>
      )}
      <Box component="ul" mah="60dvh" px={12} pos="relative" style={{ overflow: 'auto' }}>
        {rows.map((row) => (
          <NotificationItem key={row.id} row={row} compact />
        ))}
      </Box>
      <Box px={14} py={10}>
        <Link to={paths.notifications}>{t('all')}</Link>
      </Box>
    </>
  );
}

function Head({ readAll }: { readAll: ReturnType<typeof useSend<typeof notifications.readAll>> }) {
  const t = useTranslations('notifications');
  const unread = useUnread();
  return (
    <Group justify="space-between" px={14} py={10}>
      <SectionTitle>{t('title')}</SectionTitle>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={readAll.isPending}
        disabled={unread === 0}
        onClick={() => readAll.mutate({})}
      >
        {t('readAll')}
      </Button>
    </Group>
  );
}
