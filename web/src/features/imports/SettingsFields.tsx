import { Box, NativeSelect, Stack, Switch, TextInput } from '@mantine/core';
import { conflictRules, dateFormats, departments, entities, lifecycles, statusByDates } from '@tenure/contract';
import { Suspense, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useDateFormatName } from './date-format-name.ts';
import { files, history, people, results, useImportKind } from './kinds.ts';
import type { Settings } from './settings.ts';

type Props = { settings: Settings; onChange: (change: Partial<Settings>) => void };

/** `overCompany` says whether the company replaces those of the file; the file must be known for it. */
type FieldsProps = Props & { overCompany?: ReactNode };

const ArchiveFields = lazyPart(() => import('./ArchiveFields.tsx'), 'ArchiveFields', 'person-documents');

/** The settings for all rows of a file; the less frequent ones are folded. */
export function SettingsFields({ settings, onChange, overCompany }: FieldsProps) {
  if (useImportKind() !== files) return <SheetFields {...{ settings, onChange, overCompany }} />;
  return (
    <>
      <Suspense fallback={<ArchiveFieldsLoading />}>
        <ArchiveFields settings={settings} onChange={onChange} />
      </Suspense>
      <AllOrNothing settings={settings} onChange={onChange} />
    </>
  );
}

/** The fields before their options are loaded, so that nothing moves. */
function ArchiveFieldsLoading() {
  const t = useTranslations('imports.attachments');
  const hint = t('forAllHint');
  return (
    <>
      <NativeSelect label={t('categoryForAll')} description={hint} data={[]} disabled />
      <NativeSelect label={t('visibilityForAll')} description={hint} data={[]} disabled />
    </>
  );
}

/** The type of an import of tables. */
const tableOf = (type: ReturnType<typeof useImportKind>['type']) => (type === 'attachments' ? 'employees' : type);

/** The settings of a table. */
function SheetFields({ settings, onChange, overCompany }: FieldsProps) {
  const kind = useImportKind();
  const own = useTranslations(`imports.${tableOf(kind.type)}`);
  return (
    <>
      {kind === results ? (
        <ResultDefaults settings={settings} onChange={onChange} />
      ) : (
        <Company settings={settings} onChange={onChange} />
      )}
      {overCompany}
      {kind === people && <Department settings={settings} onChange={onChange} />}
      {kind === history ? (
        <DateFormat settings={settings} onChange={onChange} />
      ) : (
        <NativeSelect
          label={own('onConflict')}
          data={conflictRules.map((rule) => ({ value: rule, label: own(`conflict.${rule}`) }))}
          value={settings.on_conflict}
          onChange={(event) => onChange({ on_conflict: event.currentTarget.value as Settings['on_conflict'] })}
        />
      )}
      {kind === people ? (
        <FoldedFields settings={settings} onChange={onChange} />
      ) : (
        <AllOrNothing settings={settings} onChange={onChange} />
      )}
    </>
  );
}

/** The source and scale of former results whose rows lack them, and the date format. */
function ResultDefaults({ settings, onChange }: Props) {
  const t = useTranslations('imports');
  return (
    <>
      <TextInput
        label={t('former_results.sourceForAll')}
        description={t('former_results.sourceForAllHint')}
        maxLength={100}
        value={settings.source}
        onChange={(event) => onChange({ source: event.currentTarget.value })}
      />
      <TextInput
        label={t('former_results.scaleForAll')}
        description={t('former_results.scaleForAllHint')}
        maxLength={40}
        value={settings.scale}
        onChange={(event) => onChange({ scale: event.currentTarget.value })}
      />
      <DateFormat settings={settings} onChange={onChange} />
    </>
  );
}

function DateFormat({ settings, onChange }: Props) {
  const t = useTranslations('imports');
  const nameOf = useDateFormatName();
  return (
    <NativeSelect
      label={t('dateFormat')}
      description={t('dateFormatHint')}
      data={dateFormats.map((value) => ({ value, label: nameOf(value) }))}
      value={settings.date_format}
      onChange={(event) => onChange({ date_format: event.currentTarget.value as Settings['date_format'] })}
    />
  );
}

function Company({ settings, onChange }: Props) {
  const t = useTranslations('imports');
  const { type } = useImportKind();
  const { can } = useSession();
  const table = tableOf(type);
  const words = table === 'former_results' ? 'employees' : table;
  const own = useTranslations(`imports.${words}`);
  if (!can('entities.view')) return null;
  return (
    <RecordSelect
      labelled
      label={t('companyForAll')}
      description={own('companyForAllHint')}
      list={entities.list}
      one={entities.get}
      query={{ status: 'active' }}
      value={settings.entity_id}
      onChange={(entity_id) => onChange({ entity_id, department_id: undefined })}
    />
  );
}

/** The department for rows without one, and whether unknown departments are created. */
function Department({ settings, onChange }: Props) {
  const t = useTranslations('imports');
  const { can } = useSession();
  return (
    <>
      {can('departments.view') && settings.entity_id !== undefined && (
        <RecordSelect
          key={settings.entity_id}
          labelled
          label={t('departmentForAll')}
          description={t('departmentForAllHint')}
          list={departments.list}
          one={departments.get}
          query={{ entity_id: settings.entity_id, status: 'active' }}
          value={settings.department_id}
          onChange={(department_id) => onChange({ department_id })}
        />
      )}
      {can('departments.create') && (
        <Switch
          checked={settings.create_departments}
          onChange={(event) => onChange({ create_departments: event.currentTarget.checked })}
          label={t('createDepartments')}
          description={t('createDepartmentsHint')}
        />
      )}
    </>
  );
}

function FoldedFields({ settings, onChange }: Props) {
  const t = useTranslations('imports');
  const names = useTranslations('lifecycle');
  return (
    <details>
      <Box component="summary" c="var(--accent)" fz="0.8438rem" fw={530} style={{ cursor: 'pointer' }}>
        {t('moreSettings')}
      </Box>
      <Stack gap={18} pt={16}>
        <DateFormat settings={settings} onChange={onChange} />
        <NativeSelect
          label={t('lifecycleForAll')}
          description={t('lifecycleForAllHint')}
          data={[
            ...(settings.employment_lifecycle ? [] : [{ value: '', label: '–' }]),
            { value: statusByDates, label: t('lifecycleByDates') },
            ...lifecycles.map((value) => ({ value, label: names(value) })),
          ]}
          value={settings.employment_lifecycle ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ employment_lifecycle: lifecycles.find((one) => one === value) ?? statusByDates })
          }
        />
        <AllOrNothing settings={settings} onChange={onChange} />
      </Stack>
    </details>
  );
}

function AllOrNothing({ settings, onChange }: Props) {
  const t = useTranslations('imports');
  return (
    <Switch
      checked={settings.mode === 'atomic'}
      onChange={(event) => onChange({ mode: event.currentTarget.checked ? 'atomic' : 'partial' })}
      label={t('atomic')}
      description={t('atomicHint')}
    />
  );
}
