import { employeeImports } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CheckResult } from './CheckResult.tsx';
import { ColumnsForm } from './ColumnsForm.tsx';
import { Running } from './Running.tsx';
import { ImportResult } from './ImportResult.tsx';

const route = getRouteApi('/shell/imports/$id');

/** One import, from the check to the result. Everything about it is on the service, so a reload changes nothing. */
export function ImportPage() {
  const { id } = route.useParams();
  return isId(id) ? <OneImport id={Number(id)} /> : <NotFoundPage />;
}

function OneImport({ id }: { id: number }) {
  const t = useTranslations('imports');
  const { columns } = route.useSearch();
  const query = useQuery({
    ...load(employeeImports.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.data.status === 'processing' ? 1_000 : false),
  });
  if (query.isPending) return <PageHeader title={t('title')} />;
  if (query.isError) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const found = query.data.data;
  switch (found.status) {
    case 'processing':
      return <Running found={found} />;
    case 'needs_mapping':
      return <ColumnsForm key={found.revision} found={found} />;
    case 'preview':
      return columns ? <ColumnsForm key={found.revision} found={found} /> : <CheckResult found={found} />;
    case 'completed':
    case 'undone':
      return <ImportResult found={found} />;
    case 'failed':
    case 'expired':
      return (
        <Message page title={t(`${found.status}Title`)}>
          {found.failure ?? t(`${found.status}Text`)}
        </Message>
      );
  }
}
