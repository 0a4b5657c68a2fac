import { roleRules, type IdentityProvider } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { RoleRules } from './RoleRules.tsx';

/** The rules by which a provider's groups assign roles. */
export function ProviderRules({ provider: { id, name, groups_claim: claim } }: { provider: IdentityProvider }) {
  const t = useTranslations('roleRules');
  return (
    <RoleRules
      source={{
        id,
        name,
        endpoints: roleRules,
        lead: t('lead', { name }),
        about: ({ known, unknown }) => (claim === null ? t('noClaim') : t('seen', { known, unknown })),
      }}
    />
  );
}
