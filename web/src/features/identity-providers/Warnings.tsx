import { Box, Stack } from '@mantine/core';
import type { IdentityProvider } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Moment } from '../../ui/Dates.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** Warnings for administrators: the provider fails, or it finds accounts by an unverified address. */
export function Warnings({ provider: { failing, kind, match_rule: rule, address_claim: claim } }: Props) {
  const t = useTranslations('identityProviders');
  const isUnproved = kind === 'oidc' && rule === 'tenant_address' && claim === 'email';
  if (!failing && !isUnproved) return null;
  return (
    <Box px="gutter" pb={20} maw="48rem">
      <Stack gap={12}>
        {failing && (
          <Notice kind="danger">
            <p>{t(`failing.${failing.reason}`)}</p>
            <p className="small">
              {t('failing.since')} <Moment value={failing.since} />
            </p>
          </Notice>
        )}
        {isUnproved && <Notice kind="warning">{t('unproved')}</Notice>}
      </Stack>
    </Box>
  );
}

type Props = { provider: IdentityProvider };
