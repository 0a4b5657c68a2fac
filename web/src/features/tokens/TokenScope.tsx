import { Stack } from '@mantine/core';
import { entities, permissionCatalogue, type ApiToken } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { BulletList } from '../../ui/BulletList.tsx';
import { useCompanyNames } from '../../ui/company-names.ts';
import { usePermissionLabel } from '../../ui/permission-labels.ts';

/** What a token may do, and in which companies; the list of permissions opens below their number. */
export function TokenScope({ token: { kind, permissions, entity_ids } }: { token: ApiToken }) {
  const t = useTranslations('accessTokens');
  const label = usePermissionLabel();
  const companies = useCompanies(entity_ids);
  if (kind === 'provisioning') return t('provisioningOnly');
  const names = permissions.map((name) =>
    label(permissionCatalogue.find((one) => one.name === name) ?? { name, label: name }),
  );
  return (
    <Stack gap={2} align="flex-start">
      <details>
        <summary>{t('permissionsCount', { count: names.length })}</summary>
        <BulletList gap={2}>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </BulletList>
      </details>
      <span className="muted small" style={{ whiteSpace: 'normal' }}>
        {companies}
      </span>
    </Stack>
  );
}

/** The names of a token's companies; companies that the user may not see are only counted. */
function useCompanies(ids: readonly number[] | null): string {
  const t = useTranslations('accessTokens');
  const format = useFormatter();
  const { can } = useSession();
  const found = useQuery({
    ...load(entities.list, { query: { per_page: 100, sort_by: 'name' } }),
    enabled: ids !== null && can('entities.view'),
  });
  const listed = new Map((found.data?.data ?? []).map(({ id, name }) => [id, name]));
  const isLong = found.data !== undefined && found.data.meta.total > listed.size;
  const read = useCompanyNames(isLong ? (ids ?? []).filter((id) => !listed.has(id)) : []);
  if (ids === null) return t('allCompanies');
  const names = ids.flatMap((id) => listed.get(id) ?? read.get(id) ?? []);
  const others = ids.length - names.length;
  return format.list([...names, ...(others > 0 ? [t('otherCompanies', { count: others })] : [])]);
}
