import { Checkbox, Textarea } from '@mantine/core';
import { departments, entities, type bulkKinds } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../ui/DateField.tsx';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';

export type BulkKind = (typeof bulkKinds)[number];

export type BulkChoice = {
  company: number | undefined;
  department: number | undefined;
  from: string;
  manager: number | undefined;
  noManager: boolean;
  /** A move changes the manager too. */
  movesManager: boolean;
  reason: string;
  heir: number | undefined;
};

export const noChoice: BulkChoice = {
  company: undefined,
  department: undefined,
  from: '',
  manager: undefined,
  noManager: false,
  movesManager: false,
  reason: '',
  heir: undefined,
};

/** The request body of a bulk change. */
export function bulkBody(kind: BulkKind, choice: BulkChoice): Record<string, unknown> {
  const { department, from, manager, noManager, movesManager, reason, heir } = choice;
  const newManager = noManager
    ? { reporting_manager_id: null }
    : { ...(manager !== undefined && { reporting_manager_id: manager }) };
  switch (kind) {
    case 'move':
      return {
        department_id: department ?? null,
        ...(from !== '' && { effective_from: from }),
        ...(movesManager && newManager),
        ...(reason !== '' && { reason }),
      };
    case 'manager':
      return newManager;
    case 'deactivate':
      return { reason, ...(heir !== undefined && { reassign_to: heir }) };
    case 'reactivate':
      return { reason };
  }
}

type Props = {
  kind: BulkKind;
  choice: BulkChoice;
  onChange: (choice: BulkChoice) => void;
  errors: Readonly<Record<string, string>>;
};

/** The input fields of a bulk change. */
export function BulkFields({ kind, choice, onChange, errors }: Props) {
  const set = (patch: Partial<BulkChoice>) => onChange({ ...choice, ...patch });
  switch (kind) {
    case 'move':
      return <MoveFields choice={choice} set={set} errors={errors} />;
    case 'manager':
      return <ManagerFields choice={choice} set={set} errors={errors} />;
    case 'deactivate':
    case 'reactivate':
      return <ReasonFields kind={kind} choice={choice} set={set} errors={errors} />;
  }
}

type FieldsProps = Pick<Props, 'choice' | 'errors'> & { set: (patch: Partial<BulkChoice>) => void };

function MoveFields({ choice, set, errors }: FieldsProps) {
  const t = useTranslations('employees');
  return (
    <>
      <RecordSelect
        label={t('entity')}
        labelled
        list={entities.list}
        query={{ status: 'active' }}
        value={choice.company}
        onChange={(company) => set({ company, department: undefined })}
      />
      <RecordSelect
        label={t('department')}
        labelled
        required
        list={departments.list}
        query={{ status: 'active', ...(choice.company !== undefined && { entity_id: choice.company }) }}
        value={choice.department}
        onChange={(department) => set({ department })}
        error={errors['department_id']}
      />
      <DateField
        label={t('bulk.from')}
        description={t('bulk.fromHint')}
        value={choice.from}
        onChange={(from) => set({ from })}
        error={errors['effective_from']}
      />
      <Checkbox
        label={t('bulk.movesManager')}
        checked={choice.movesManager}
        onChange={(event) => set({ movesManager: event.currentTarget.checked })}
      />
      {choice.movesManager && <ManagerFields choice={choice} set={set} errors={errors} />}
      <Textarea
        label={t('bulk.moveReason')}
        description={t('bulk.reasonHint')}
        rows={2}
        maxLength={500}
        value={choice.reason}
        onChange={(event) => set({ reason: event.currentTarget.value })}
        {...(errors['reason'] !== undefined && { error: errors['reason'] })}
      />
    </>
  );
}

function ManagerFields({ choice, set, errors }: FieldsProps) {
  const t = useTranslations('employees');
  return (
    <>
      <PersonPicker
        label={t('manager')}
        query={{ activity_status: 'active,joining' }}
        value={choice.manager}
        onChange={(manager) => set({ manager })}
        disabled={choice.noManager}
        error={errors['reporting_manager_id']}
      />
      <Checkbox
        label={t('bulk.noManager')}
        checked={choice.noManager}
        onChange={(event) => set({ noManager: event.currentTarget.checked })}
      />
    </>
  );
}

/** The reason for deactivating or reactivating people, and the successor of those who leave. */
function ReasonFields({ kind, choice, set, errors }: FieldsProps & Pick<Props, 'kind'>) {
  const t = useTranslations('employees');
  return (
    <>
      {kind === 'deactivate' && (
        <PersonPicker
          label={t('bulk.heir')}
          description={t('bulk.heirHint')}
          value={choice.heir}
          onChange={(heir) => set({ heir })}
          error={errors['reassign_to']}
        />
      )}
      <Textarea
        label={t('bulk.reason')}
        description={t('bulk.reasonHint')}
        required
        rows={3}
        maxLength={500}
        value={choice.reason}
        onChange={(event) => set({ reason: event.currentTarget.value })}
        {...(errors['reason'] !== undefined && { error: errors['reason'] })}
      />
    </>
  );
}
