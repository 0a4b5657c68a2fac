import { useTranslations } from 'use-intl';
import { CardOf } from '../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

const rows = [
  { key: 'userName', names: 'userName, externalId', owner: 'provider' },
  { key: 'active', names: 'active', owner: 'provider' },
  { key: 'groups', names: 'Groups', owner: 'provider' },
  { key: 'emails', names: 'emails', owner: 'match' },
  { key: 'employeeNumber', names: 'employeeNumber', owner: 'match' },
  { key: 'name', names: 'name, displayName', owner: 'hr' },
  { key: 'title', names: 'title', owner: 'hr' },
  { key: 'place', names: 'organization, department, manager', owner: 'hr' },
  { key: 'phoneNumbers', names: 'phoneNumbers', owner: 'hr' },
  { key: 'preferredLanguage', names: 'preferredLanguage', owner: 'person' },
  { key: 'others', names: 'password, roles, …', owner: 'nobody' },
] as const;
type Row = (typeof rows)[number];

const tones = { provider: 'info', match: 'good', hr: 'good', person: 'good', nobody: 'quiet' } as const;

/** What a request may change, and what HR controls. */
export function Owners() {
  const t = useTranslations('provisioning.owners');
  const columns: Column<Row>[] = [
    { id: 'attribute', header: t('attribute'), cell: ({ names }) => <code>{names}</code> },
    { id: 'here', header: t('here'), cell: ({ key }) => t(`of.${key}`) },
    { id: 'owner', header: t('owner'), cell: ({ owner }) => <StatusBadge tone={tones[owner]} label={t(owner)} /> },
  ];
  return (
    <ScrollPane>
      <SectionTitle px="gutter" pt={20}>
        {t('title')}
      </SectionTitle>
      <p className="muted" style={{ padding: '0 var(--gutter) 8px', maxWidth: '46rem' }}>
        {t('lead')}
      </p>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        card={(row) => <CardOf columns={columns} row={row} />}
      />
    </ScrollPane>
  );
}
