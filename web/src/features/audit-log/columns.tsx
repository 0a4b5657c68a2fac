import { Box, UnstyledButton } from '@mantine/core';
import type { AuditEntry } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { useAuditLabels } from '../../ui/audit-labels.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { Changes } from './Changes.tsx';
import { subjectTypes, type Change } from './search.ts';
import { useSubjectLabel } from './use-subject-label.ts';
import { Reason } from '../../ui/AuditCells.tsx';

export function useAuditColumns(onChange: (patch: Change) => void): Column<AuditEntry>[] {
  const t = useTranslations('auditLog');
  return [
    { id: 'what', header: t('what'), sortBy: 'action', cell: (row) => <SubjectText entry={row} /> },
    { id: 'at', header: t('at'), sortBy: 'at', cell: (row) => <Moment value={row.at} /> },
    { id: 'who', header: t('who'), cell: (row) => <Who entry={row} onChange={onChange} /> },
    { id: 'changes', header: t('changes'), cell: (row) => <Changes entry={row} /> },
    {
      id: 'reason',
      header: t('reason'),
      cell: ({ reason }) => <Reason text={reason} />,
    },
  ];
}

/** The pages of the record types. */
const pages: Readonly<Record<string, string>> = {
  employee: paths.employee,
  entity: paths.company,
  department: paths.department,
  role: paths.role,
  kpi_template: paths.kpiTemplate,
  kpi_cycle: paths.kpiCycle,
  kpi_evaluation: paths.kpiEvaluation,
  probation_review: paths.probationReview,
};

function SubjectText({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('auditLog');
  const labels = useAuditLabels();
  const type = subjectTypes.find((one) => one === entry.subject_type);
  const kind = type ? t(`subject.${type}`) : entry.subject_type.replaceAll('_', ' ');
  return (
    // the name and the action are not truncated, since they tell entries apart
    <Box miw="12rem" maw="20rem" py={6} style={{ whiteSpace: 'normal', overflowWrap: 'break-word' }}>
      <Subject entry={entry} />
      <Box className="muted" fz="sm" lh={1.35}>
        {t('action', { kind, verb: labels.action(entry.action) })}
      </Box>
    </Box>
  );
}

/** The subject of an entry, with a link to its record if it exists. */
function Subject({ entry }: { entry: AuditEntry }) {
  const { subject_type, subject_id, action } = entry;
  const named = useSubjectLabel()(entry);
  const label = <bdi>{named ?? (subject_id === null ? '–' : `#${subject_id}`)}</bdi>;
  const to = pages[subject_type];
  if (to === undefined || subject_id === null || action.endsWith('.deleted')) return label;
  return (
    <Link className="record-link" to={to} params={{ id: String(subject_id) }}>
      {label}
    </Link>
  );
}

/** The token with which a program acted; a link for users who may see all tokens. */
function Through({ token: { id, name } }: { token: NonNullable<AuditEntry['token']> }) {
  const t = useTranslations('auditLog');
  const { can } = useSession();
  const label = t('token', { name: name ?? `#${id}` });
  return (
    <Box className="muted" fz="sm" lh={1.35}>
      {can('tokens.view_all') ? <Link to={paths.accessTokens}>{label}</Link> : label}
    </Box>
  );
}

function Who({ entry: { actor, ip, token }, onChange }: { entry: AuditEntry; onChange: (patch: Change) => void }) {
  const t = useTranslations('auditLog');
  const name = actor.user_id === null ? t('system') : actor.name;
  return (
    <>
      <UnstyledButton
        className="record-link"
        fz="inherit"
        fw={550}
        onClick={() => onChange({ actor_id: actor.user_id ?? 0, actor_employee_id: undefined })}
      >
        <bdi>{name}</bdi>
        <span className="visually-hidden"> {t('onlyTheirs')}</span>
      </UnstyledButton>
      {token && <Through token={token} />}
      {ip !== null && (
        <Box className="muted" fz="sm" lh={1.35}>
          {t('ip', { ip })}
        </Box>
      )}
    </>
  );
}
