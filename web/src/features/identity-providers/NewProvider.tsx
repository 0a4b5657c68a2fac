import { identityProviders } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Back } from './Back.tsx';
import { newTexts } from './fields.ts';
import { ProviderForm } from './ProviderForm.tsx';

const route = getRouteApi('/shell/settings/sign-in');

/** The form of a new provider. */
export function NewProvider() {
  const t = useTranslations('identityProviders');
  const navigate = route.useNavigate();
  const toast = useToast();
  const create = useSend(identityProviders.create);
  return (
    <>
      <PageHeader title={t('newTitle')} lead={t('newLead')}>
        <Back />
      </PageHeader>
      <ScrollPane>
        <ProviderForm
          draft="identity-provider"
          start={{ texts: newTexts }}
          submit={t('add')}
          onSend={async (body) => (await create.mutateAsync({ body: body as never })).data}
          onSaved={({ id, kind }) => {
            toast({ text: t(kind === 'saml' ? 'saml.added' : 'added') });
            void navigate({ search: { provider: String(id) }, ignoreBlocker: true, replace: true });
          }}
        />
      </ScrollPane>
    </>
  );
}
