import { Checkbox, Select } from '@mantine/core';
import { departments, entities, type Department } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { isOutdated, type ApiError } from '../../api/api-error.ts';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { optionsOf, rowsOf, withAllBelow } from './department-tree.ts';
import { allDepartments } from '../../api/all-departments.ts';

type Props = { department: Department; onMoved: (moved: Department) => void; onClose: () => void };

/** Moves a department. A move into another company takes its people and child departments along. */
export function MoveForm({ department, onMoved, onClose }: Props) {
  const t = useTranslations('departments');
  const [target, setTarget] = useState<Target>({ entityId: department.entity_id, parent: department.parent_id });
  const [isMeant, setMeant] = useState(false);
  const { send, move } = useMove(department, onMoved);
  const { entityId, parent } = target;
  const isFar = entityId !== department.entity_id;
  const problems = send.error?.fieldErrors ?? {};
  const submit = () => move({ parent_id: parent, ...(isFar && { entity_id: entityId, move_employees: isMeant }) });
  return (
    <DialogForm onSubmit={submit}>
      <Refusal error={send.error} revision={department.revision} />
      <TargetFields department={department} target={target} onChange={setTarget} problems={problems} />
      {isFar && (
        <TakenAlong department={department} isMeant={isMeant} onMeant={setMeant} error={problems['move_employees']} />
      )}
      <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('move')} loading={send.isPending} />
    </DialogForm>
  );
}

type Target = { entityId: number; parent: number | null };
type TargetProps = {
  department: Department;
  target: Target;
  onChange: (target: Target) => void;
  problems: Readonly<Record<string, string>>;
};

/** The target company and parent department. */
function TargetFields({ department, target: { entityId, parent }, onChange, problems }: TargetProps) {
  const t = useTranslations('departments');
  const label = useTranslations('fields.department');
  const { can } = useSession();
  const all = useQuery(allDepartments(entityId)).data ?? [];
  return (
    <>
      {can('entities.view') && (
        <RecordSelect
          label={label('entity_id')}
          labelled
          list={entities.list}
          query={{ status: 'active' }}
          value={entityId}
          onChange={(id) => onChange({ entityId: id ?? department.entity_id, parent: null })}
          error={problems['entity_id']}
        />
      )}
      <Select
        label={label('parent_id')}
        placeholder={t('atTheTop')}
        data={optionsOf(all, withAllBelow(all, department.id))}
        value={parent === null ? null : String(parent)}
        onChange={(id) => onChange({ entityId, parent: id === null ? null : Number(id) })}
        searchable
        clearable
        error={problems['parent_id']}
      />
    </>
  );
}

type Move = { parent_id: number | null; entity_id?: number; move_employees?: boolean };

function useMove({ id, revision }: Department, onMoved: (moved: Department) => void) {
  const send = useSend(departments.update);
  const move = (body: Move) =>
    send.mutate({ params: { id }, body: { ...body, revision } }, { onSuccess: ({ data }) => onMoved(data) });
  return { send, move };
}

function Refusal({ error, revision }: { error: ApiError | null; revision: number }) {
  const t = useTranslations('departments');
  if (isOutdated(error, revision)) return <p role="alert">{t('changedMeanwhile')}</p>;
  return <ErrorNotice error={error} fields={['entity_id', 'parent_id', 'move_employees']} />;
}

type AlongProps = {
  department: Department;
  isMeant: boolean;
  onMeant: (isMeant: boolean) => void;
  error: string | undefined;
};

/** The people and departments that would change company, with a confirmation. */
function TakenAlong({ department, isMeant, onMeant, error }: AlongProps) {
  const t = useTranslations('departments');
  const all = useQuery(allDepartments(department.entity_id)).data ?? [];
  const people = rowsOf(all, new Set()).find((row) => row.department.id === department.id)?.people ?? 0;
  const below = withAllBelow(all, department.id).size - 1;
  return (
    <Checkbox
      checked={isMeant}
      onChange={(event) => onMeant(event.currentTarget.checked)}
      label={t('alongLabel')}
      description={t('along', { people, departments: Math.max(0, below) })}
      error={error}
    />
  );
}
