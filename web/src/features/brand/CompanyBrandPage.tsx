import { companyBrand } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId, paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { BrandForm } from './BrandForm.tsx';

const route = getRouteApi('/shell/companies/$id/brand');

/** The brand and the letterhead of a company. */
export function CompanyBrandPage() {
  const { id } = route.useParams();
  return isId(id) ? <CompanyBrand key={id} id={Number(id)} /> : <NotFoundPage />;
}

function CompanyBrand({ id }: { id: number }) {
  const t = useTranslations('brand');
  const params = { id };
  const query = useQuery(load(companyBrand.get, { params }));
  const [update, setLogo, removeLogo, reset] = [
    useSend(companyBrand.update),
    useSend(companyBrand.setLogo),
    useSend(companyBrand.removeLogo),
    useSend(companyBrand.reset),
  ];
  // a reset remounts the form
  const [resets, setResets] = useState(0);
  if (query.isPending) return <LoadingLines lines={9} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const settings = query.data.data;
  const { name } = settings.company;
  return (
    <>
      <PageHeader
        title={t('companyTitle', { name })}
        lead={
          <>
            <Link to={paths.company} params={{ id: String(id) }}>
              <bdi>{name}</bdi>
            </Link>
            {' · '}
            {t(settings.may_change ? 'companyLead' : 'readOnly')}
          </>
        }
      />
      <BrandForm
        key={resets}
        draft={`companies.${id}.brand`}
        settings={settings}
        fallback={settings.installation}
        mayChange={settings.may_change}
        onSave={async (body, revision) =>
          (await update.mutateAsync({ params, body: { ...body, ...(revision !== undefined && { revision }) } })).data
        }
        onLogo={(file) => setLogo.mutateAsync({ params, file })}
        onRemoveLogo={() => removeLogo.mutateAsync({ params })}
        onReset={async () => {
          await reset.mutateAsync({ params });
          await query.refetch();
          setResets(resets + 1);
        }}
        reread={async () => (await call(companyBrand.get, { params })).data}
        error={setLogo.error ?? removeLogo.error ?? reset.error}
        isPending={setLogo.isPending || removeLogo.isPending || reset.isPending}
      />
    </>
  );
}
