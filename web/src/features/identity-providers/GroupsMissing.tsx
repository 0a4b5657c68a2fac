import { Box } from '@mantine/core';
import type { IdentityProvider } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Notice } from '../../ui/Notice.tsx';

/** People whose last sign-in had no groups, so that the rules could not be applied. */
export function GroupsMissing({ provider }: { provider: IdentityProvider }) {
  const t = useTranslations('roleRules');
  const { name, groups_claim: claim, groups_missing_count: count } = provider;
  if (claim === null) return null;
  return (
    <Box px="gutter" pb={20} maw="48rem">
      <Notice>{t('missing', { count, name, claim })}</Notice>
    </Box>
  );
}
