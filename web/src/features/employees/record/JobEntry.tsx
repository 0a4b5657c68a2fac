import { Box, Button, Group, Text } from '@mantine/core';
import { jobFields, jobHistory, type JobHistoryRow } from '@tenure/contract';
import { type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Input } from '../../../api/call.ts';
import { useSend } from '../../../api/query.ts';
import { Day } from '../../../ui/Dates.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { StatusBadge, type Tone } from '../../../ui/StatusBadge.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { useFieldLabel } from '../form/labels.ts';
import classes from './job.module.css';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';

const tones: Record<JobHistoryRow['status'], Tone> = {
  scheduled: 'info',
  current: 'good',
  past: 'quiet',
  cancelled: 'quiet',
  failed: 'danger',
};

/** One job change: start day, changed fields, reason and author. */
export function JobEntry({ row, onCorrect }: { row: JobHistoryRow; onCorrect: (row: JobHistoryRow) => void }) {
  const t = useTranslations('profile.job');
  return (
    <li className={classes['entry']} data-status={row.status}>
      <Group gap="4px 12px" mih={26}>
        <strong>{row.source === 'assumed' ? t('assumed') : <Day value={row.effective_from} />}</strong>
        {row.effective_to && (
          <span className="muted">
            {t('until')} <Day value={row.effective_to} />
          </span>
        )}
        <StatusBadge tone={tones[row.status]} label={t(`status.${row.status}`)} />
        {row.allowed_actions.includes('delete') && <Cancel row={row} />}
        {row.allowed_actions.includes('update') && (
          <Button variant="default" size="compact-sm" onClick={() => onCorrect(row)}>
            {t('correct')}
            <span className="visually-hidden">
              {' '}
              <Day value={row.effective_from} />
            </span>
          </Button>
        )}
      </Group>
      <Changed row={row} />
      {row.failure && <Text c="var(--danger)">{row.failure}</Text>}
      <p className="muted">
        {row.reason && (
          <>
            <span>{t('because', { reason: row.reason })}</span>
            {' · '}
          </>
        )}
        {row.created_by.user_id === null ? t('automatic') : t('enteredBy', { name: row.created_by.name })}
      </p>
    </li>
  );
}

/** The fields that a row changes, with their new values; for the first row, the whole job. */
function Changed({ row }: { row: JobHistoryRow }) {
  const label = useFieldLabel();
  const t = useTranslations('profile.job');
  const kinds = useTranslations('employmentType');
  const lifecycle = useTranslations('lifecycle');
  const values: Record<string, ReactNode> = {
    entity_id: row.entity.name,
    department_id: row.department.name,
    reporting_manager_id: row.reporting_manager?.name,
    job_title: row.job_title,
    grade: row.grade,
    employment_type: kinds(row.employment_type),
    employment_lifecycle: lifecycle(row.employment_lifecycle),
  };
  const all = [...jobFields, 'employment_lifecycle' as const];
  const changed = all.filter((name) => row.changed_fields.includes(name));
  // the current entry shows the job as it is
  const names =
    changed.length > 0 && row.status !== 'current'
      ? changed
      : all.filter((name) => values[name] !== undefined && values[name] !== null);
  return (
    <AutoGrid component="dl" min="11rem" gap="8px 20px" td={row.status === 'cancelled' ? 'line-through' : 'none'}>
      {names.map((name) => (
        <div key={name}>
          <Box component="dt" className="muted" fz={12.5}>
            {label(name)}
          </Box>
          <dd style={{ overflowWrap: 'anywhere' }}>{values[name] ?? t('nobody')}</dd>
        </div>
      ))}
    </AutoGrid>
  );
}

/** Cancels a planned change and offers to undo it. */
function Cancel({ row }: { row: JobHistoryRow }) {
  const t = useTranslations('profile.job');
  const toast = useToast();
  const cancel = useSend(jobHistory.delete);
  const again = useSend(jobHistory.create);
  const undo = () => {
    const changed = jobFields.filter((name) => row.changed_fields.includes(name));
    const body = {
      ...Object.fromEntries(changed.map((name) => [name, row[name]])),
      effective_from: row.effective_from,
      ...(row.reason && { reason: row.reason }),
    } as Input<typeof jobHistory.create>['body'];
    void again.mutateAsync({ params: { id: row.employee_id }, body }).catch(() => toast({ text: t('notUndone') }));
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={cancel.isPending}
        onClick={() =>
          cancel.mutate(
            { params: { id: row.employee_id, rowId: row.id } },
            // A failed change cannot be planned again for the same day.
            { onSuccess: () => toast({ text: t('cancelled'), ...(row.status === 'scheduled' && { undo }) }) },
          )
        }
      >
        {t('cancel')}
        <span className="visually-hidden">
          {' '}
          <Day value={row.effective_from} />
        </span>
      </Button>
      <ErrorNotice error={cancel.error} />
    </>
  );
}
