import { Button, Group, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { auditActions, entities, type AuditEntry } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { useAuditLabels } from '../../ui/audit-labels.ts';
import { DayFilter } from '../../ui/DayFilter.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { FilterSheet } from '../../ui/FilterSheet.tsx';
import { PersonPicker } from '../../ui/PersonPicker.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import { auditFilters, subjectTypes, type AuditLogSearch, type Change } from './search.ts';
import { useSubjectLabel } from './use-subject-label.ts';

type Props = {
  search: AuditLogSearch;
  /** The rows found; they hold the names for the ids in the filters. */
  entries: readonly AuditEntry[];
  onChange: (patch: Change) => void;
};

/** The filters of the log. On a phone, most of them are in a bottom sheet. */
export function AuditFilters(props: Props) {
  const { search, onChange } = props;
  const t = useTranslations('auditLog');
  return (
    <Filters>
      <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      <FilterSheet count={auditFilters.filter((name) => name !== 'search' && name in search).length}>
        <Fields {...props} />
      </FilterSheet>
      <LinkedFilter {...props} />
    </Filters>
  );
}

function Fields({ search, onChange }: Props) {
  const t = useTranslations('auditLog');
  const { can } = useSession();
  return (
    <>
      <SubjectFilter search={search} onChange={onChange} />
      <ActionFilter search={search} onChange={onChange} />
      {can('employees.view') && (
        <PersonPicker
          label={t('who')}
          labelled={false}
          query={{ activity_status: 'active,joining,inactive' }}
          value={search.actor_employee_id}
          onChange={(id) => onChange({ actor_employee_id: id, actor_id: undefined })}
        />
      )}
      {can('entities.view') && (
        <RecordSelect
          label={t('company')}
          list={entities.list}
          one={entities.get}
          value={search.entity_id}
          onChange={(id) => onChange({ entity_id: id })}
        />
      )}
      <Days search={search} onChange={onChange} />
    </>
  );
}

function SubjectFilter({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const t = useTranslations('auditLog');
  return (
    <NativeSelect
      aria-label={t('about')}
      data={[
        { value: '', label: t('anything') },
        ...subjectTypes.map((value) => ({ value, label: t(`subject.${value}`) })),
      ]}
      value={search.subject_type ?? ''}
      onChange={(event) =>
        onChange({
          subject_type: subjectTypes.find((one) => one === event.currentTarget.value),
          subject_id: undefined,
          action: undefined,
        })
      }
    />
  );
}

/** The actions of the selected type of record, or of all types in groups. */
function ActionFilter({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const t = useTranslations('auditLog');
  const labels = useAuditLabels();
  const types = subjectTypes.filter((type) => !search.subject_type || type === search.subject_type);
  const groups = types.map((type) => ({
    group: t(`subject.${type}`),
    items: auditActions[type].map((verb) => {
      const value = `${type}.${verb}`;
      return { value, label: labels.action(value) };
    }),
  }));
  return (
    <NativeSelect
      aria-label={t('actionLabel')}
      data={[{ value: '', label: t('anyAction') }, ...groups]}
      value={search.action ?? ''}
      onChange={(event) => onChange({ action: event.currentTarget.value || undefined })}
    />
  );
}

function Days({ search: { at_from: from = '', at_to: to = '' }, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const t = useTranslations('auditLog');
  return (
    <Group gap={12}>
      <Period label={t('from')}>
        {(labelled) => (
          <DayFilter
            label={t('from')}
            labelled={labelled}
            value={from}
            max={to}
            onChange={(day) => onChange({ at_from: day })}
          />
        )}
      </Period>
      <Period label={t('to')}>
        {(labelled) => (
          <DayFilter
            label={t('to')}
            labelled={labelled}
            value={to}
            min={from}
            onChange={(day) => onChange({ at_to: day })}
          />
        )}
      </Period>
    </Group>
  );
}

/** A labelled date range; the label is above it in a sheet and beside it in the row. */
function Period({ label, children }: { label: string; children: (labelled: boolean) => ReactNode }) {
  const phone = usePhone();
  if (phone) return children(true);
  return (
    <Group gap={6} wrap="nowrap">
      <span className="muted" aria-hidden>
        {label}
      </span>
      {children(false)}
    </Group>
  );
}

/** A filter set by a link from an entry or another page, with a button to remove it. */
function LinkedFilter({ search, entries: [first], onChange }: Props) {
  const t = useTranslations('auditLog');
  const labelOf = useSubjectLabel();
  const { actor_id: actor, subject_id: subject, scim_connection_id: connection } = search;
  const who = actor === 0 ? t('system') : first?.actor.user_id === actor ? first?.actor.name : `#${actor}`;
  const what = (first?.subject_id === subject ? first && labelOf(first) : null) ?? `#${subject}`;
  const chips = [
    ...(actor === undefined ? [] : [{ text: t('onlyBy', { name: who ?? '' }), off: { actor_id: undefined } }]),
    ...(subject === undefined ? [] : [{ text: t('onlyAbout', { name: what }), off: { subject_id: undefined } }]),
    ...(connection === undefined ? [] : [{ text: t('onlyOfConnection'), off: { scim_connection_id: undefined } }]),
  ];
  return chips.map(({ text, off }) => (
    <Button
      key={text}
      variant="light"
      size="sm"
      rightSection={<IconX size={14} aria-hidden />}
      onClick={() => onChange(off)}
    >
      {text}
      <span className="visually-hidden"> {t('showAll')}</span>
    </Button>
  ));
}
