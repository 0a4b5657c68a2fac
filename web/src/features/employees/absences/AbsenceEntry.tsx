import { Button, Group } from '@mantine/core';
import { absences, type Absence } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { call } from '../../../api/call.ts';
import { Day } from '../../../ui/Dates.tsx';
import { StatusBadge, type Tone } from '../../../ui/StatusBadge.tsx';
import { useDismissal } from '../../../ui/use-dismissal.ts';

const tones: Record<Absence['state'], Tone> = { planned: 'info', current: 'warn', past: 'quiet' };

type Props = { row: Absence; onChange: () => void; onEnd: () => void };

/** One absence with its days and actions, and its reason if that is shown. */
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

/** The key of a deletion that can still be undone. */
export const deletionOf = ({ id }: Pick<Absence, 'id'>): string => `absence.${id}`;

/** Deletes an absence once the time to undo is over: a reason that is not shown could not be restored. */
function Delete({ row, children }: { row: Absence; children: React.ReactNode }) {
  const t = useTranslations('absences');
  const dismiss = useDismissal({ dismissed: t('deleted'), failed: t('notDeleted') });
  const params = { id: row.employee_id, absenceId: row.id };
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={() => dismiss(deletionOf(row), (options) => call(absences.delete, { params }, options))}
    >
      {t('delete')}
      {children}
    </Button>
  );
}
