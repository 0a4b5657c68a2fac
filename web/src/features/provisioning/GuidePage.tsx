import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { Back } from './Back.tsx';
import { Steps } from './Guide.tsx';
import type { GuideName } from './parts.ts';

const route = getRouteApi('/shell/settings/provisioning');

/** How to set up a connection at an identity provider, shown before there is one. */
export function GuidePage({ guide }: { guide: GuideName }) {
  const t = useTranslations('provisioningGuide');
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader title={t('title', { provider: t(guide) })}>
        <Back />
      </PageHeader>
      <ScrollPane>
        <Steps guide={guide} onGuide={(next) => void navigate({ search: { guide: next }, replace: true })} />
      </ScrollPane>
    </>
  );
}
