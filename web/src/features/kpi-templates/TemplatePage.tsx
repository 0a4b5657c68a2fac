import { Box, Button, Skeleton } from '@mantine/core';
import { kpiTemplates } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '../../api/api-error.ts';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId, paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { TemplateDialogs } from './dialogs.ts';
import { TemplateLead } from './TemplateLead.tsx';
import { TemplateMenu, type TemplateDialog } from './TemplateMenu.tsx';
import { TemplateView } from './TemplateView.tsx';

const Builder = lazyPart(() => import('./Builder.tsx'), 'Builder');

const route = getRouteApi('/shell/kpi/templates/$id');

/** A template: an editor for users who may change it, else read-only. */
export function TemplatePage() {
  const { id } = route.useParams();
  return isId(id) ? <OneTemplate key={id} id={Number(id)} /> : <NotFoundPage />;
}

function OneTemplate({ id }: { id: number }) {
  const t = useTranslations('kpiTemplates');
  const navigate = route.useNavigate();
  const [dialog, setDialog] = useState<TemplateDialog>();
  const query = useQuery(load(kpiTemplates.get, { params: { id } }));
  if (query.isPending) return <Loading />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const template = query.data.data;
  const toList = () => void navigate({ to: paths.kpiTemplates, ignoreBlocker: true });
  if (template.allowed_actions.includes('update'))
    return (
      <Suspense fallback={<Loading />}>
        <Builder template={template} onDeleted={toList} />
      </Suspense>
    );
  return (
    <>
      <PageHeader title={template.name} lead={<TemplateLead template={template} />}>
        {template.allowed_actions.includes('duplicate') && (
          <Button onClick={() => setDialog('duplicate')}>{t('do.duplicate')}</Button>
        )}
        <TemplateMenu template={template} onDialog={setDialog} without={['duplicate']} size={36} />
      </PageHeader>
      <Box maw="56rem" px="gutter" pb={24}>
        <Notice>{t('readOnly')}</Notice>
      </Box>
      <TemplateView template={template} />
      <Suspense>
        <TemplateDialogs dialog={dialog} template={template} onDeleted={toList} onClose={() => setDialog(undefined)} />
      </Suspense>
    </>
  );
}

const Loading = () => (
  <Box px="gutter" py={20} aria-busy>
    <Skeleton height={230} />
  </Box>
);

/** The editor with an empty template. */
export function NewTemplatePage() {
  const { can } = useSession();
  if (!can('kpi-template.create'))
    return <ErrorState page error={new ApiError(403, { message: '' })} onRetry={() => {}} />;
  return (
    <Suspense fallback={<Loading />}>
      <Builder />
    </Suspense>
  );
}
