import { identityProviders, type IdentityProvider } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';

/** The providers of the installation, with their names. */
export function useProviders(): { providers: IdentityProvider[]; nameOf: (id: number) => string } {
  const t = useTranslations('signInRules');
  const found = useQuery(load(identityProviders.list, { query: { per_page: 100, sort_by: 'name' } }));
  const providers = found.data?.data ?? [];
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return { providers, nameOf: (id) => names.get(id) ?? (found.data ? t('gone') : '…') };
}
