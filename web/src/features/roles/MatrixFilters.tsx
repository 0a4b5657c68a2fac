import { NativeSelect, Switch } from '@mantine/core';
import type { Role } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import { Filters } from '../../ui/Filters.tsx';
import { useRoleName } from '../../ui/role-name.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import type { RoleSearch } from './search.ts';

type Props = {
  role: Role;
  all: readonly Role[];
  search: RoleSearch;
  onChange: (patch: { find?: string | undefined; alone?: true | undefined }) => void;
};

/** The filters of permissions and compared roles. A phone shows one role at a time. */
export function MatrixFilters({ role, all, search, onChange }: Props) {
  const t = useTranslations('roles');
  const phone = usePhone();
  const navigate = useNavigate();
  const roleName = useRoleName();
  const { find, alone } = search;
  const keep = { ...(find !== undefined && { find }), ...(alone && { alone }) };
  return (
    <Filters>
      <SearchField label={t('find')} value={find} onChange={(text) => onChange({ find: text })} />
      <NativeSelect
        aria-label={t('one')}
        data={all.map(({ id, name }) => ({ value: String(id), label: roleName(name) }))}
        value={String(role.id)}
        onChange={(event) => void navigate({ to: paths.role, params: { id: event.currentTarget.value }, search: keep })}
      />
      {!phone && (
        <Switch
          label={t('compare')}
          checked={!alone}
          onChange={(event) => onChange({ alone: event.currentTarget.checked ? undefined : true })}
        />
      )}
    </Filters>
  );
}
