import { Checkbox, Stack, Textarea } from '@mantine/core';
import { absences, deputyTasks, type Absence, type Employee } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';
import { DateField } from '../../../ui/DateField.tsx';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { StepDialog } from '../lifecycle/StepDialog.tsx';

type Props = { employee: Employee; row: Absence | null; onClose: () => void };

/** Records or changes an absence. Its reason is offered to users who may read it, and only while it is shown. */
export function AbsenceDialog({ employee, row, onClose }: Props) {
  const t = useTranslations('absences');
  const toast = useToast();
  const { can } = useSession();
  const mayName = can('kpi-evaluation.assign-reviewer') || can('probation-review.create');
  const [from, setFrom] = useState(row?.first_day ?? employee.today);
  const [to, setTo] = useState(row?.last_day ?? '');
  const [reason, setReason] = useState(row?.absence_reason ?? '');
  const [deputy, setDeputy] = useState<Deputy>({
    deputy_id: row?.deputy_id ?? null,
    deputy_tasks: row?.deputy ? row.deputy_tasks : [...deputyTasks],
  });
  const isDeputyMoved = deputy.deputy_id !== (row?.deputy_id ?? null);
  const save = useSave(employee.id, row);
  const errors = save.error?.fieldErrors ?? {};
  const name = employee.display_name;
  const hasReason = row ? row.absence_reason !== undefined : employee.private_details !== undefined;
  const isReasonSent = hasReason && reason !== (row?.absence_reason ?? '');
  return (
    <StepDialog
      title={t(row ? 'dialog.change' : 'dialog.record', { name })}
      consequences={[t('dialog.stays', { name })]}
      action={t('dialog.save')}
      disabled={from === ''}
      error={save.error}
      fields={['first_day', 'last_day', 'absence_reason', 'deputy_id', 'deputy_tasks']}
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={() =>
        save.send(
          {
            first_day: from,
            last_day: to || null,
            ...(isReasonSent && { absence_reason: reason || null }),
            ...(mayName && deputyBody(deputy, isDeputyMoved)),
          },
          () => {
            toast({ text: t('dialog.saved') });
            onClose();
          },
        )
      }
    >
      <AutoGrid min="12rem" gap={14} fit>
        <DateField label={t('from')} required value={from} onChange={setFrom} error={errors['first_day']} />
        <DateField
          label={t('to')}
          description={t('openEnd')}
          hintBelow
          value={to}
          onChange={setTo}
          error={errors['last_day']}
        />
      </AutoGrid>
      {mayName && <DeputyFields employee={employee} row={row} value={deputy} onChange={setDeputy} errors={errors} />}
      {hasReason && <Reason value={reason} onChange={setReason} error={errors['absence_reason']} />}
    </StepDialog>
  );
}

type ReasonProps = { value: string; onChange: (value: string) => void; error: string | undefined };

function Reason({ value, onChange, error }: ReasonProps) {
  const t = useTranslations('absences');
  return (
    <Textarea
      label={t('reason')}
      description={t('reasonHint')}
      rows={2}
      maxLength={500}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type Deputy = { deputy_id: number | null; deputy_tasks: Absence['deputy_tasks'] };

/** The tasks are sent with a deputy; without one, nothing is sent unless the deputy was removed. */
const deputyBody = ({ deputy_id, deputy_tasks }: Deputy, isMoved: boolean): Partial<Deputy> =>
  deputy_id === null ? (isMoved ? { deputy_id } : {}) : { deputy_id, deputy_tasks };

type DeputyProps = {
  employee: Employee;
  row: Absence | null;
  value: Deputy;
  onChange: (value: Deputy) => void;
  errors: Readonly<Record<string, string | undefined>>;
};

/** Who takes over which of the person's tasks during the absence. */
function DeputyFields({ employee, row, value, onChange, errors }: DeputyProps) {
  const t = useTranslations('absences');
  const { deputy_id: id, deputy_tasks: tasks } = value;
  return (
    <Stack gap={8}>
      <PersonPicker
        label={t('deputy.label')}
        description={t('deputy.hint')}
        value={id ?? undefined}
        known={row?.deputy?.id === id ? row?.deputy?.name : undefined}
        except={employee.id}
        error={errors['deputy_id']}
        onChange={(next) => onChange({ ...value, deputy_id: next ?? null })}
      />
      {id !== null && (
        <Checkbox.Group
          label={t('deputy.tasks')}
          value={tasks}
          error={errors['deputy_tasks']}
          onChange={(next) => onChange({ ...value, deputy_tasks: deputyTasks.filter((task) => next.includes(task)) })}
        >
          <Stack gap={6} mt={4}>
            {deputyTasks.map((task) => (
              <Checkbox key={task} value={task} label={t(`deputy.task.${task}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

type Body = Partial<Deputy> & { first_day: string; last_day: string | null; absence_reason?: string | null };

function useSave(id: number, row: Absence | null) {
  const create = useSend(absences.create);
  const update = useSend(absences.update);
  const send = (body: Body, onSuccess: () => void) => {
    if (row)
      update.mutate({ params: { id, absenceId: row.id }, body: { ...body, revision: row.revision } }, { onSuccess });
    else create.mutate({ params: { id }, body }, { onSuccess });
  };
  const { error, isPending } = row ? update : create;
  return { send, error, isPending };
}
