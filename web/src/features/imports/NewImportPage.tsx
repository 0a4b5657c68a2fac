import { Button } from '@mantine/core';
import { entities } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ForbiddenPage } from '../../layout/ErrorPages.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { NoCompany } from '../../ui/NoCompany.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { people, useImportKind } from './kinds.ts';
import { Steps } from './Steps.tsx';
import { UploadForm } from './UploadForm.tsx';

/** The first step of an import: the file and the settings for all rows. */
export function NewImportPage() {
  const { can } = useSession();
  const { permission } = useImportKind();
  return can(permission) ? <NewImport /> : <ForbiddenPage />;
}

function NewImport() {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const own = useTranslations(`imports.${kind.type}`);
  const { can } = useSession();
  const companies = useQuery({ ...load(entities.list, { query: { per_page: 1 } }), enabled: can('entities.view') });
  if (failedWithoutData(companies))
    return <ErrorState page error={companies.error} onRetry={() => void companies.refetch()} />;
  // A template can be valid in all companies; a person belongs to one.
  const onlyCompany = kind === people && companies.data?.meta.total === 1 ? companies.data.data[0]?.id : undefined;
  return (
    <>
      <PageHeader title={own('newTitle')} lead={own('newLead')}>
        <Button component={Link} to={kind.paths.list} variant="default">
          {t('earlier')}
        </Button>
      </PageHeader>
      {kind === people && companies.data?.meta.total === 0 ? (
        <NoCompany />
      ) : (
        <>
          <Steps at="upload" />
          <UploadForm onlyCompany={onlyCompany} />
        </>
      )}
    </>
  );
}
