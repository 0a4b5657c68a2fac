import { Button, Group } from '@mantine/core';
import { absences, type Absence } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Day } from '../../../ui/Dates.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { StatusBadge, type Tone } from '../../../ui/StatusBadge.tsx';
import { useToast } from '../../../ui/toasts.tsx';

const tones: Record<Absence['state'], Tone> = { planned: 'info', current: 'warn', past: 'quiet' };

type Props = { row: Absence; onChange: () => void; onEnd: () => void };

/** One absence with its days, its steps, and its reason where it is shown. */
export function AbsenceEntry({ row, onChange, onEnd }: Props) {
  const t = useTranslations('absences');
  const may = new Set(row.allowed_actions);
  const days = (
    <span className="visually-hidden">
      {' '}
      <Day value={row.first_day} />
    </span>
  );
  return (
    <li>
      <Group gap="4px 12px" mih={34} py={4}>
        <span>
          <strong>
            <Day value={row.first_day} />
          </strong>{' '}
          {row.last_day === null ? (
            t('furtherNotice')
          ) : (
            <>
              {t('until')} <Day value={row.last_day} />
            </>
          )}
        </span>
        <StatusBadge tone={tones[row.state]} label={t(`state.${row.state}`)} />
        {may.has('end') && (
          <Button variant="default" size="compact-sm" onClick={onEnd}>
            {t('endAction')}
            {days}
          </Button>
        )}
        {may.has('update') && (
          <Button variant="default" size="compact-sm" onClick={onChange}>
            {t('change')}
            {days}
          </Button>
        )}
        {may.has('delete') && <Delete row={row}>{days}</Delete>}
      </Group>
      {row.deputy && (
        <p className="muted">
          {t('deputy.is', {
            name: row.deputy.name,
            tasks: row.deputy_tasks.map((task) => t(`deputy.task.${task}`)).join(', '),
          })}
        </p>
      )}
      {row.absence_reason && (
        <p className="muted" style={{ overflowWrap: 'anywhere' }}>
          {t('reason')}: <bdi>{row.absence_reason}</bdi>
        </p>
      )}
    </li>
  );
}

/** Deletes an absence and offers to undo it; a reason that is not shown cannot be brought back. */
function Delete({ row, children }: { row: Absence; children: React.ReactNode }) {
  const t = useTranslations('absences');
  const toast = useToast();
  const remove = useSend(absences.delete);
  const again = useSend(absences.create);
  const { id, employee_id, first_day, last_day, absence_reason, deputy_id, deputy_tasks } = row;
  const undo = () => {
    const body = {
      first_day,
      last_day,
      ...(absence_reason && { absence_reason }),
      ...(deputy_id && { deputy_id, deputy_tasks }),
    };
    void again.mutateAsync({ params: { id: employee_id }, body }).catch(() => toast({ text: t('notUndone') }));
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={remove.isPending}
        onClick={() =>
          remove.mutate(
            { params: { id: employee_id, absenceId: id } },
            { onSuccess: () => toast({ text: t('deleted'), undo }) },
          )
        }
      >
        {t('delete')}
        {children}
      </Button>
      <ErrorNotice error={remove.error} />
    </>
  );
}
