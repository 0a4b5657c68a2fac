import { brand } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { BrandForm } from './BrandForm.tsx';

const ofTenure = { name: null, accent: null, logo: null };

/** The name, the logo and the colour of the installation. */
export function BrandPage() {
  const t = useTranslations('brand');
  const query = useQuery(load(brand.settings, {}));
  const [update, setLogo, removeLogo, reset] = [
    useSend(brand.update),
    useSend(brand.setLogo),
    useSend(brand.removeLogo),
    useSend(brand.reset),
  ];
  // a reset remounts the form
  const [resets, setResets] = useState(0);
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <BrandForm
        key={resets}
        draft="brand"
        settings={query.data.data}
        fallback={ofTenure}
        mayChange
        onSave={async (body, revision) =>
          (await update.mutateAsync({ body: { ...body, ...(revision !== undefined && { revision }) } })).data
        }
        onLogo={(file) => setLogo.mutateAsync({ file })}
        onRemoveLogo={() => removeLogo.mutateAsync({})}
        onReset={async () => {
          await reset.mutateAsync({});
          await query.refetch();
          setResets(resets + 1);
        }}
        reread={async () => (await call(brand.settings, {})).data}
        error={setLogo.error ?? removeLogo.error ?? reset.error}
        isPending={setLogo.isPending || removeLogo.isPending || reset.isPending}
      />
    </>
  );
}
