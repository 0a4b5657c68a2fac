import type { ScimConnection } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Moment } from '../../ui/Dates.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

/** Whether requests of a connection are answered, and whether they change anything. */
export function State({ connection }: { connection: Pick<ScimConnection, 'is_enabled' | 'is_dry_run'> }) {
  const t = useTranslations('provisioning');
  if (!connection.is_enabled) return <StatusBadge tone="quiet" label={t('off')} />;
  return connection.is_dry_run ? (
    <StatusBadge tone="info" label={t('dryRun')} />
  ) : (
    <StatusBadge tone="good" label={t('on')} />
  );
}

const month = 30 * 86_400_000;

/** The end of a token, highlighted when it is near or past. */
export function TokenEnd({ token }: { token: ScimConnection['token'] }) {
  const t = useTranslations('provisioning');
  const [now] = useState(Date.now);
  if (!token) return <StatusBadge tone="warn" label={t('noToken')} />;
  const left = Date.parse(token.expires_at) - now;
  return (
    <>
      <Moment value={token.expires_at} />{' '}
      {left < month && (
        <StatusBadge tone={left < 0 ? 'danger' : 'warn'} label={t(left < 0 ? 'token.expired' : 'token.soon')} />
      )}
    </>
  );
}
