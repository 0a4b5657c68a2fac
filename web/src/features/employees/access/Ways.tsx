import { Stack } from '@mantine/core';
import { employeeSignIn, type EmployeeSignIn } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { hasStatus } from '../../../api/api-error.ts';
import { failedWithoutData, load } from '../../../api/query.ts';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';

/** How a person can sign in: providers, second factors, open links and tokens. */
export function Ways({ employeeId }: { employeeId: number }) {
  const query = useQuery(load(employeeSignIn.get, { params: { id: employeeId } }));
  if (query.isPending) return <LoadingLines lines={3} />;
  // the account has permissions that the user lacks, or is the user's own
  if (hasStatus(query.error, 403) || hasStatus(query.error, 404)) return null;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Shown ways={query.data.data} />;
}

function Shown({ ways }: { ways: EmployeeSignIn }) {
  const t = useTranslations('signInWays');
  const { identities, connections, links, tokens_count: count, password_sign_in: byPassword } = ways;
  return (
    <DescriptionList
      title={t('title')}
      items={[
        !byPassword && { label: t('password'), value: t('passwordOff') },
        {
          label: t('providers'),
          value: identities.length > 0 ? <Identities identities={identities} /> : t('noProvider'),
        },
        connections.length > 0 && {
          label: t('connections'),
          value: <bdi>{connections.map(({ name }) => name).join(', ')}</bdi>,
        },
        { label: t('factors'), value: <Factors ways={ways} /> },
        links.length > 0 && { label: t('links'), value: <Links links={links} /> },
        { label: t('tokens'), value: count > 0 ? t('tokensCount', { count }) : t('noTokens') },
      ]}
    />
  );
}

function Identities({ identities }: Pick<EmployeeSignIn, 'identities'>) {
  const t = useTranslations('signInWays');
  const format = useFormatter();
  return (
    <Stack gap={2}>
      {identities.map(({ provider, linked_by, last_used_at: last, other_email: other }) => (
        <span key={provider.id}>
          <bdi>{provider.name}</bdi>
          <span className="muted">
            {' · '}
            {t(`linkedBy.${linked_by}`)}
            {' · '}
            {last === null
              ? t('unused')
              : t('lastUsed', { at: format.dateTime(new Date(last), { dateStyle: 'medium', timeStyle: 'short' }) })}
          </span>
          {other !== undefined && (
            <>
              <br />
              <bdi>{t('otherEmail', { email: other })}</bdi>
            </>
          )}
        </span>
      ))}
    </Stack>
  );
}

function Factors({
  ways: { has_app, passkeys_count: passkeys, recovery_codes_left: codes },
}: {
  ways: EmployeeSignIn;
}) {
  const t = useTranslations('signInWays');
  const format = useFormatter();
  if (!has_app && passkeys === 0) return t('noFactor');
  return format.list([
    ...(has_app ? [t('app')] : []),
    ...(passkeys > 0 ? [t('passkeys', { count: passkeys })] : []),
    t('codes', { count: codes }),
  ]);
}

function Links({ links }: Pick<EmployeeSignIn, 'links'>) {
  const t = useTranslations('signInWays');
  const format = useFormatter();
  return (
    <Stack gap={2}>
      {links.map(({ purpose, expires_at }) => (
        <span key={purpose}>
          {t(`link.${purpose}`, {
            until: format.dateTime(new Date(expires_at), { dateStyle: 'medium', timeStyle: 'short' }),
          })}
        </span>
      ))}
    </Stack>
  );
}
