import { scimConnections } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Back } from './Back.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { newTexts } from './fields.ts';

const route = getRouteApi('/shell/settings/provisioning');

/** The form of a new connection, which starts as a dry run. */
export function NewConnection() {
  const t = useTranslations('provisioning');
  const navigate = route.useNavigate();
  const toast = useToast();
  const create = useSend(scimConnections.create);
  const { user } = useSession();
  return (
    <>
      <PageHeader title={t('newTitle')} lead={t('newLead')}>
        <Back />
      </PageHeader>
      <ScrollPane>
        <ConnectionForm
          draft="scim-connection"
          owners={user ? [{ user_id: user.id, name: user.name }] : []}
          start={{ texts: newTexts(user?.id ?? 0) }}
          submit={t('add')}
          onSend={async (body) => (await create.mutateAsync({ body: { name: '', ...body, is_dry_run: true } })).data}
          onSaved={({ id }) => {
            toast({ text: t('added') });
            void navigate({ search: { connection: String(id) }, ignoreBlocker: true, replace: true });
          }}
        />
      </ScrollPane>
    </>
  );
}
