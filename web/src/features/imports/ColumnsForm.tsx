import { Button, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import type { Import, ImportColumn } from '@tenure/contract';
import { Suspense, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { Discard } from './Discard.tsx';
import { plainField, type AnyField } from './fields.ts';
import classes from './imports.module.css';
import { people, useImportKind } from './kinds.ts';
import { settingsOf, type Settings } from './settings.ts';
import { SettingsFields } from './SettingsFields.tsx';
import { Steps } from './Steps.tsx';
import { useImportSearch } from './use-import-search.ts';
import { useFieldName } from './use-field-name.ts';
import { FieldChips } from './FieldChips.tsx';

const ProfileSelect = lazyPart(() => import('./ProfileSelect.tsx'), 'ProfileSelect', 'import-profiles');

type Mapping = Record<string, string | null>;

/** Assigns the columns of the file to fields and checks the rows again, without another upload. */
export function ColumnsForm({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const { go } = useImportSearch();
  const send = useSend(kind.api.update);
  const [mapping, setMapping] = useState<Mapping>(() => startOf(found.columns));
  const [settings, setSettings] = useState(() => settingsOf(found));
  const sent = kind.sent(settings, found.defaults);
  const missing = kind.missing(Object.values(mapping), sent.defaults, settings.on_conflict);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const body = { mapping, ...sent, revision: found.revision };
    send.mutate({ params: { id: found.id }, body }, { onSuccess: () => go(() => ({})) });
  };
  const read = (profile_id: number | undefined) =>
    profile_id !== undefined &&
    send.mutate(
      { params: { id: found.id }, body: { profile_id, revision: found.revision } },
      { onSuccess: () => go(() => ({})) },
    );
  return (
    <Stack flex={1} gap={0} mih={0} onSubmit={save} renderRoot={(props) => <form {...props} />}>
      <PageHeader title={t('columnsTitle')} lead={<bdi>{found.file_name}</bdi>}>
        {found.allowed_actions.includes('delete') && <Discard id={found.id} />}
        {found.status === 'preview' && (
          <Button variant="default" onClick={() => go(() => ({}))}>
            {t('backToCheck')}
          </Button>
        )}
        <Button type="submit" loading={send.isPending || send.isSuccess} disabled={missing.length > 0}>
          {t(found.status === 'needs_mapping' ? 'check' : 'checkAgain')}
        </Button>
      </PageHeader>
      <Steps at="columns" />
      <div className={classes['columnsPage']}>
        <Panel>
          <ErrorNotice error={send.error} />
          {kind === people && (
            <Suspense fallback={null}>
              <ProfileSelect value={undefined} disabled={send.isPending} onChange={read} />
            </Suspense>
          )}
          <Required missing={missing} />
          <SettingsFields
            settings={settings}
            onChange={(change) => setSettings((old) => ({ ...old, ...change }))}
            overCompany={<CompanyOverFile found={found} mapping={mapping} settings={settings} onChange={setMapping} />}
          />
        </Panel>
        <Columns columns={found.columns} mapping={mapping} onChange={setMapping} />
      </div>
    </Stack>
  );
}

const isCompany = (field: string | null | undefined) => plainField(field ?? '') === 'entity';

type OverProps = {
  found: Import;
  mapping: Mapping;
  settings: Settings;
  onChange: (mapping: Mapping) => void;
};

/** Uses the company for all rows, whatever the file says: its company columns are not imported. */
function CompanyOverFile({ found: { columns }, mapping, settings, onChange }: OverProps) {
  const t = useTranslations('imports');
  const isOn = !Object.values(mapping).some(isCompany);
  // The columns as they were before the switch, so that it can be turned off again.
  const [before] = useState(() => startOf(columns));
  const ofFile = Object.entries(isOn ? before : mapping).filter(([, field]) => isCompany(field));
  if (settings.entity_id === undefined || ofFile.length === 0) return null;
  const change = (on: boolean) =>
    onChange({ ...mapping, ...Object.fromEntries(ofFile.map(([header, field]) => [header, on ? null : field])) });
  return (
    <Switch
      checked={isOn}
      onChange={(event) => change(event.currentTarget.checked)}
      label={t('companyOverFile')}
      description={t('companyOverFileHint', { columns: ofFile.map(([header]) => header).join(', ') })}
    />
  );
}

/** The settings beside the columns, which scroll separately. */
const Panel = ({ children }: { children: ReactNode }) => (
  <Stack
    component="section"
    gap={18}
    px="gutter"
    pt={18}
    pb={24}
    pos="relative"
    style={{ overflow: 'auto' }}
    aria-label={useTranslations('imports')('requiredColumns')}
  >
    {children}
  </Stack>
);

/** The initial assignment; a suggestion applies until the user changes it. */
const startOf = (columns: readonly ImportColumn[]): Mapping =>
  Object.fromEntries(columns.map(({ header, field }) => [header, field]));

/** The required fields, each with a tick once a column fills it. */
function Required({ missing }: { missing: readonly AnyField[] }) {
  const t = useTranslations('imports');
  const names = useFieldName();
  const { required } = useImportKind();
  return (
    <div>
      <FieldChips fields={required.map((field) => ({ field, state: missing.includes(field) ? 'open' : 'filled' }))} />
      <output>
        <Text
          span
          display="block"
          size="sm"
          mt={8}
          {...(missing.length > 0 ? { c: 'var(--danger)' } : { className: 'muted' })}
        >
          {missing.length > 0
            ? t('missing', { fields: missing.map((field) => names(field)).join(', ') })
            : t('allAssigned')}
        </Text>
      </output>
    </div>
  );
}

type State = 'assigned' | 'suggested' | 'left';
const stateTones: Record<State, Tone> = { assigned: 'good', suggested: 'info', left: 'warn' };

function stateOf({ header, source }: ImportColumn, mapping: Mapping): State {
  if (mapping[header] === null || mapping[header] === undefined) return 'left';
  return source === 'suggested' ? 'suggested' : 'assigned';
}

type ColumnsProps = { columns: readonly ImportColumn[]; mapping: Mapping; onChange: (mapping: Mapping) => void };

function Columns({ columns, mapping, onChange }: ColumnsProps) {
  const t = useTranslations('imports');
  const choices = useChoices(mapping);
  const choice = ({ header }: ImportColumn) => (
    <NativeSelect
      miw="12rem"
      py={6}
      aria-label={t('fieldFor', { header })}
      data={choices(header)}
      value={mapping[header] ?? ''}
      onChange={(event) => onChange({ ...mapping, [header]: event.currentTarget.value || null })}
    />
  );
  const badge = (column: ImportColumn) => {
    const state = stateOf(column, mapping);
    return <StatusBadge tone={stateTones[state]} label={t(`columnState.${state}`)} />;
  };
  const shown: Column<ImportColumn>[] = [
    { id: 'header', header: t('header'), cell: (column) => <bdi>{column.header}</bdi> },
    { id: 'sample', header: t('sampleValue'), cell: (column) => <bdi className="muted">{column.sample ?? '–'}</bdi> },
    { id: 'field', header: t('field'), cell: choice },
    { id: 'state', header: t('state'), cell: badge },
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

/** The fields that a column can be assigned to; each field can be assigned once. */
function useChoices(mapping: Mapping) {
  const t = useTranslations('imports');
  const names = useFieldName();
  const { fields, required } = useImportKind();
  return (header: string) => {
    const others = Object.entries(mapping).filter(([other]) => other !== header);
    const taken = new Set(others.map(([, field]) => field));
    return [
      { value: '', label: t('ignore') },
      ...fields.map((field) => ({
        value: field,
        label: required.some((one) => one === plainField(field)) ? `${names(field)} *` : names(field),
        disabled: taken.has(field),
      })),
    ];
  };
}
