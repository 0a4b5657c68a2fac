import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { scimConnections, type ScimConnection } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { textsOf } from './fields.ts';
import { Token } from './Token.tsx';

const versionOf = (connection: ScimConnection) => ({ texts: textsOf(connection), revision: connection.revision });

/** How the identity provider reaches the service, what it has sent so far, and the settings. */
export function Settings({ connection }: { connection: ScimConnection }) {
  const t = useTranslations('provisioning');
  return (
    <ScrollPane>
      <Stack gap={28} px="gutter" pt={20} pb={28} maw="62rem">
        <Stack gap={8} renderRoot={(props) => <section {...props} />}>
          <SectionTitle>{t('address')}</SectionTitle>
          <CopyText text={connection.base_url} label={t('address')} />
          <p className="muted small">{t('addressHelp')}</p>
        </Stack>
        <Token connection={connection} />
        <Counts connection={connection} />
      </Stack>
      <SectionTitle px="gutter" pb={12}>
        {t('settings')}
      </SectionTitle>
      {/* these actions change the version of the connection, so the form remounts */}
      <Form key={`${connection.is_dry_run} ${connection.is_enabled}`} connection={connection} />
    </ScrollPane>
  );
}

function Counts({ connection }: { connection: ScimConnection }) {
  const t = useTranslations('provisioning');
  return (
    <DescriptionList
      title={t('counts')}
      items={[
        { label: t('users'), value: connection.users_count },
        { label: t('waitingCount'), value: connection.waiting_count },
        { label: t('groups'), value: connection.groups_count },
        { label: t('blocked'), value: connection.blocked_count },
        { label: t('withheld'), value: <WithheldCount {...connection} /> },
      ]}
    />
  );
}

/** How many people lack roles of their groups; the audit log has their names. */
function WithheldCount({ id, withheld_count: count }: Pick<ScimConnection, 'id' | 'withheld_count'>) {
  const { can } = useSession();
  if (count === 0 || !can('audit.view')) return count;
  return (
    <Link
      to={paths.auditLog}
      search={{ subject_type: 'scim_user', action: 'scim_user.roles_withheld', scim_connection_id: id }}
    >
      {count}
    </Link>
  );
}

function Form({ connection }: { connection: ScimConnection }) {
  const t = useTranslations('provisioning');
  const toast = useToast();
  const update = useSend(scimConnections.update);
  const { id } = connection;
  return (
    <ConnectionForm
      draft={`scim-connection.${id}`}
      owners={connection.owners}
      start={versionOf(connection)}
      submit={t('save')}
      onSend={async (body) => (await update.mutateAsync({ params: { id }, body })).data}
      reread={async () => versionOf((await call(scimConnections.get, { params: { id } })).data)}
      goOn={versionOf}
      onSaved={() => toast({ text: t('saved') })}
    />
  );
}
