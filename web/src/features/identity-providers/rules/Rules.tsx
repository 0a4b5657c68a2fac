import { Group } from '@mantine/core';
import { secondFactorDemands, signInPolicies, type RoleDemand, type SignInPolicy } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { useRoleName } from '../../../ui/role-name.ts';
import { ScrollPane } from '../../../ui/ScrollPane.tsx';
import { RoleDemandButton } from '../../../ui/second-factor/RoleDemand.tsx';
import { SectionTitle } from '../../../ui/SectionTitle.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { Demand } from './Demand.tsx';
import { useProviders } from './use-providers.ts';

/** How people of each company sign in, and which roles require a second factor. */
export function Rules() {
  const policies = useQuery(load(signInPolicies.list, {}));
  const demands = useQuery(load(secondFactorDemands.list, {}));
  const failed = [policies, demands].find((one) => failedWithoutData<unknown>(one));
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!policies.data || !demands.data) return <LoadingLines lines={7} />;
  return (
    <ScrollPane>
      <Companies policies={policies.data.data.policies} />
      <Roles roles={demands.data.data.roles} />
    </ScrollPane>
  );
}

function Companies({ policies }: { policies: SignInPolicy[] }) {
  const t = useTranslations('signInRules');
  const columns = useCompanyColumns();
  return (
    <section>
      <Head title={t('companies')} lead={t('companiesLead')} />
      <DataTable
        label={t('companies')}
        columns={columns}
        rows={policies}
        rowKey={({ entity }) => entity?.id ?? 'default'}
        card={(row) => <CardOf columns={columns} row={row} />}
      />
    </section>
  );
}

const Head = ({ title, lead }: { title: string; lead: string }) => (
  <>
    <SectionTitle px="gutter" pt={20}>
      {title}
    </SectionTitle>
    <p className="muted" style={{ paddingInline: 'var(--gutter)', paddingBlockEnd: 8, maxWidth: '46rem' }}>
      {lead}
    </p>
  </>
);

function useCompanyColumns(): Column<SignInPolicy>[] {
  const t = useTranslations('signInRules');
  const format = useFormatter();
  const { nameOf } = useProviders();
  return [
    {
      id: 'company',
      header: t('company'),
      cell: ({ entity, is_own }) => (
        <Group gap="2px 10px">
          <Link to={paths.signInSettings} search={{ part: 'rules', rule: String(entity?.id ?? 'default') }}>
            <bdi>{entity?.name ?? t('default')}</bdi>
          </Link>
          {!is_own && <StatusBadge tone="quiet" label={t('follows')} />}
        </Group>
      ),
    },
    {
      id: 'way',
      header: t('way'),
      cell: ({ sso_required, sso_provider_ids }) =>
        sso_required ? (
          <bdi>{t('only', { list: format.list(sso_provider_ids.map(nameOf), { type: 'disjunction' }) })}</bdi>
        ) : (
          <span className="muted">{t('anyWay')}</span>
        ),
    },
    { id: 'factor', header: t('factor'), cell: ({ second_factor_from }) => <Demand from={second_factor_from} /> },
    {
      id: 'longest',
      header: t('longest'),
      cell: ({ session_max_hours: hours }) =>
        hours === null ? <span className="muted">{t('standard')}</span> : t('hours', { hours }),
    },
    { id: 'people', header: t('people'), cell: ({ people_count }) => format.number(people_count) },
  ];
}

function Roles({ roles }: { roles: RoleDemand[] }) {
  const t = useTranslations('signInRules');
  const [changing, setChanging] = useState<number>();
  const columns = useRoleColumns(changing, setChanging);
  return (
    <section style={{ paddingBlockEnd: 32 }}>
      <Head title={t('roles')} lead={t('rolesLead')} />
      <DataTable
        label={t('roles')}
        columns={columns}
        rows={roles}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
      />
    </section>
  );
}

function useRoleColumns(
  changing: number | undefined,
  onChange: (id: number | undefined) => void,
): Column<RoleDemand>[] {
  const t = useTranslations('signInRules');
  const format = useFormatter();
  const roleName = useRoleName();
  return [
    { id: 'role', header: t('role'), cell: ({ name }) => <bdi>{roleName(name)}</bdi> },
    { id: 'factor', header: t('factor'), cell: ({ second_factor_from }) => <Demand from={second_factor_from} /> },
    { id: 'holders', header: t('holders'), cell: ({ holders_count }) => format.number(holders_count) },
    { id: 'without', header: t('without'), cell: ({ without_factor_count }) => format.number(without_factor_count) },
    {
      id: 'actions',
      header: t('actions'),
      headerHidden: true,
      cell: (role) => (
        <Group justify="flex-end">
          <RoleDemandButton
            role={role}
            label={t('change')}
            size="compact-sm"
            opened={changing === role.id}
            onOpen={(isOpen) => onChange(isOpen ? role.id : undefined)}
          />
        </Group>
      ),
    },
  ];
}
