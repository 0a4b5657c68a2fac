import { Button, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Message } from '../../ui/Message.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { files, useImportKind } from './kinds.ts';
import { useImportSearch } from './use-import-search.ts';

// Each state has a screen of its own.
const CheckResult = lazyPart(() => import('./CheckResult.tsx'), 'CheckResult', 'fields');
const Running = lazyPart(() => import('./Running.tsx'), 'Running');
const ColumnsForm = lazyPart(() => import('./ColumnsForm.tsx'), 'ColumnsForm', 'fields');
const ArchiveSettings = lazyPart(() => import('./ArchiveSettings.tsx'), 'ArchiveSettings');
const ImportResult = lazyPart(() => import('./ImportResult.tsx'), 'ImportResult', 'fields');

/** One import, from the check to the result. Its state is on the service, so a reload is safe. */
export function ImportPage() {
  const { id = '' } = useParams({ strict: false });
  return isId(id) ? (
    <Suspense fallback={<Loading />}>
      <OneImport key={id} id={Number(id)} />
    </Suspense>
  ) : (
    <NotFoundPage />
  );
}

function OneImport({ id }: { id: number }) {
  const kind = useImportKind();
  const { api } = kind;
  const { columns } = useImportSearch().search;
  const query = useQuery({
    ...load(api.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.data.status === 'processing' ? 1_000 : false),
  });
  if (query.isPending) return <Loading />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const found = query.data.data;
  const { status } = found;
  switch (status) {
    case 'processing':
      return <Running found={found} />;
    case 'needs_mapping':
      return <ColumnsForm key={found.revision} found={found} />;
    case 'preview':
      if (columns && kind === files) return <ArchiveSettings key={found.revision} found={found} />;
      return columns ? <ColumnsForm key={found.revision} found={found} /> : <CheckResult found={found} />;
    case 'completed':
    case 'undone':
    case 'partly_undone':
    case 'failed':
      return <ImportResult found={{ ...found, status }} />;
    case 'expired':
      return <Expired />;
  }
}

function Loading() {
  const t = useTranslations('imports');
  return (
    <>
      <PageHeader title={t('title')} lead={<Skeleton height={12} width={160} />} />
      <Stack gap={12} px="gutter" pb={14}>
        <Skeleton height={62} maw="62rem" />
        <Skeleton height={320} />
      </Stack>
    </>
  );
}

function Expired() {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const again = (
    <Button component={Link} to={kind.paths.new}>
      {t('another')}
    </Button>
  );
  return (
    <Message page title={t('expiredTitle')} actions={again}>
      {t('expiredText')}
    </Message>
  );
}
