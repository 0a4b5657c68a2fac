import { Button, NativeSelect, Switch } from '@mantine/core';
import { employeeImports, entities, type Import, type ImportColumn } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { CardOf } from '../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { importFields, missingFields } from './fields.ts';
import classes from './imports.module.css';

const route = getRouteApi('/shell/imports/$id');
type Mapping = Record<string, string | null>;

/** Says which column of the file is which field; the rows are checked again with it, without a new upload. */
export function ColumnsForm({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const { can } = useSession();
  const navigate = route.useNavigate();
  const send = useSend(employeeImports.update);
  const [mapping, setMapping] = useState<Mapping>(() => startOf(found.columns));
  const [entity, setEntity] = useState(entityOf(found));
  const [createDepartments, setCreateDepartments] = useState(found.create_departments);
  const { entity_id: _former, ...others } = found.defaults;
  const defaults = entity === undefined ? others : { ...others, entity_id: entity };
  const missing = missingFields(Object.values(mapping), defaults, found.on_conflict);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const body = { mapping, defaults, create_departments: createDepartments };
    send.mutate({ params: { id: found.id }, body }, { onSuccess: () => void navigate({ search: {} }) });
  };
  return (
    <form className={classes['step']} onSubmit={save}>
      <PageHeader title={t('columnsTitle')} lead={<bdi>{found.file_name}</bdi>}>
        <Button type="submit" loading={send.isPending || send.isSuccess} disabled={missing.length > 0}>
          {t('checkAgain')}
        </Button>
      </PageHeader>
      <div className={classes['settings']}>
        <ErrorNotice error={send.error} />
        <Missing fields={missing} />
        {can('entities.view') && (
          <RecordSelect labelled label={t('companyForAll')} list={entities.list} value={entity} onChange={setEntity} />
        )}
        {can('departments.create') && (
          <Switch
            checked={createDepartments}
            onChange={(event) => setCreateDepartments(event.currentTarget.checked)}
            label={t('createDepartments')}
          />
        )}
      </div>
      <Columns columns={found.columns} mapping={mapping} onChange={setMapping} />
    </form>
  );
}

/** What is assigned already; a mere suggestion counts until somebody says otherwise. */
const startOf = (columns: readonly ImportColumn[]): Mapping =>
  Object.fromEntries(columns.map(({ header, field }) => [header, field]));

const entityOf = ({ defaults }: Import): number | undefined =>
  typeof defaults['entity_id'] === 'number' ? defaults['entity_id'] : undefined;

function Missing({ fields }: { fields: ReturnType<typeof missingFields> }) {
  const t = useTranslations('imports');
  const names = useTranslations('importField');
  return (
    <output className={fields.length > 0 ? classes['missing'] : 'muted'}>
      {fields.length > 0 ? t('missing', { fields: fields.map((field) => names(field)).join(', ') }) : t('allAssigned')}
    </output>
  );
}

type ColumnsProps = { columns: readonly ImportColumn[]; mapping: Mapping; onChange: (mapping: Mapping) => void };

function Columns({ columns, mapping, onChange }: ColumnsProps) {
  const t = useTranslations('imports');
  const names = useTranslations('importField');
  const choices = [
    { value: '', label: t('ignore') },
    ...importFields.map((field) => ({ value: field, label: names(field) })),
  ];
  const choice = ({ header, source }: ImportColumn) => (
    <NativeSelect
      className={classes['choice']}
      aria-label={t('fieldFor', { header })}
      data={choices}
      value={mapping[header] ?? ''}
      onChange={(event) => onChange({ ...mapping, [header]: event.currentTarget.value || null })}
      {...(source === 'suggested' && mapping[header] !== null && { description: t('suggested') })}
    />
  );
  const shown: Column<ImportColumn>[] = [
    { id: 'header', header: t('header'), cell: (column) => <bdi>{column.header}</bdi> },
    { id: 'sample', header: t('sampleValue'), cell: (column) => <bdi className="muted">{column.sample}</bdi> },
    { id: 'field', header: t('field'), cell: choice },
  ];
  return (
    <DataTable
      label={t('columnsTitle')}
      columns={shown}
      card={(column) => <CardOf columns={shown} row={column} />}
      rows={columns}
      rowKey={(column) => column.header}
    />
  );
}
