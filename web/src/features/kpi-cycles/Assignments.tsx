import { ActionIcon, Box, Stack } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { kpiCycles, type CycleDepartment, type KpiCycle } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { DepartmentMenu, MendDialog, type Mending } from './mend/DepartmentMenu.tsx';
import { TemplateSelect } from './TemplateSelect.tsx';

export type AssignmentsQuery = { page?: number | undefined; search?: string | undefined; without?: true | undefined };
type Props = { cycle: KpiCycle; asked: AssignmentsQuery; onPage: (page: number) => void; empty: ReactNode };

/** The template of each department; a choice is saved at once. */
export function Assignments({ cycle, asked: { without, ...asked }, onPage, empty }: Props) {
  const t = useTranslations('kpiCycles');
  const query = useQuery({
    ...load(kpiCycles.departments, {
      params: { id: cycle.id },
      query: { ...asked, ...(without && { template_id: '0' }) },
    }),
    placeholderData: keepPreviousData,
  });
  const [mending, setMending] = useState<Mending>();
  const columns = useColumns(cycle, setMending);
  return (
    <>
      <ListView
        query={query}
        label={t('tabs.departments')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={onPage}
        empty={empty}
      />
      <MendDialog cycle={cycle} mending={mending} onClose={() => setMending(undefined)} />
    </>
  );
}

function useColumns(cycle: KpiCycle, onMend: (mending: Mending) => void): Column<CycleDepartment>[] {
  const t = useTranslations('kpiCycles');
  const remove = useRemoval(cycle);
  return [
    {
      id: 'department',
      header: t('department'),
      cell: ({ department, entity }) => (
        <Stack gap={0} align="flex-start" lh={1.35}>
          <Link to={paths.department} params={{ id: String(department.id) }} className="record-link">
            <bdi>{department.name}</bdi>
          </Link>
          <bdi className="muted small">{entity.name}</bdi>
        </Stack>
      ),
    },
    { id: 'template', header: t('template'), cell: (row) => <Template key={row.revision} row={row} /> },
    { id: 'state', header: t('state'), cell: (row) => <State row={row} /> },
    {
      id: 'count',
      header: t('evaluations'),
      cell: ({ is_published, evaluations_count: count }) =>
        is_published ? <span className="numbers">{count}</span> : <span className="muted">–</span>,
    },
    {
      id: 'remove',
      header: t('remove'),
      headerHidden: true,
      cell: (row) =>
        row.allowed_actions.includes('replace-template') ? (
          <DepartmentMenu row={row} onOpen={onMend} />
        ) : (
          row.allowed_actions.includes('delete') && <RemoveButton row={row} onRemove={() => remove(row)} />
        ),
    },
  ];
}

function RemoveButton({ row, onRemove }: { row: CycleDepartment; onRemove: () => void }) {
  const t = useTranslations('kpiCycles');
  const label = t('removeDepartment', { name: row.department.name });
  return (
    <ActionIcon variant="subtle" color="gray" size={30} aria-label={label} onClick={onRemove}>
      <IconX size={17} aria-hidden />
    </ActionIcon>
  );
}

function State({ row: { is_published, template } }: { row: CycleDepartment }) {
  const t = useTranslations('kpiCycles');
  if (is_published) return <StatusBadge tone="good" label={t('status.published')} />;
  if (template) return <StatusBadge tone="info" label={t('ready')} />;
  return <StatusBadge tone="warn" label={t('needsTemplate')} />;
}

/** Removes a department; undo adds it again with its template. */
function useRemoval({ id }: KpiCycle) {
  const t = useTranslations('kpiCycles');
  const toast = useToast();
  const remove = useSend(kpiCycles.removeDepartment);
  const assign = useSend(kpiCycles.assignDepartment);
  return ({ department_id: departmentId, department: { name }, template_id }: CycleDepartment) => {
    const params = { id, departmentId };
    const onError = (error: Error) => toast({ text: error.message });
    remove.mutate(
      { params },
      {
        onSuccess: () =>
          toast({
            text: t('departmentRemoved', { name }),
            undo: () => assign.mutate({ params, body: { template_id } }, { onError }),
          }),
        onError,
      },
    );
  };
}

function Template({ row }: { row: CycleDepartment }) {
  const t = useTranslations('kpiCycles');
  const assign = useSend(kpiCycles.assignDepartment);
  const { template, allowed_actions: allowed } = row;
  if (!allowed.includes('update')) {
    if (!template) return <span className="muted">{t('noTemplate')}</span>;
    return (
      <Link to={paths.kpiTemplate} params={{ id: String(template.id) }}>
        <bdi>{template.name}</bdi>
      </Link>
    );
  }
  const choose = (template_id: number | undefined) =>
    assign.mutate({
      params: { id: row.cycle_id, departmentId: row.department_id },
      body: { template_id: template_id ?? null, revision: row.revision },
    });
  const chosen = assign.isPending
    ? Number(assign.variables.body.template_id) || undefined
    : (row.template_id ?? undefined);
  return (
    <Box miw="12rem" maw="20rem" py={6}>
      <TemplateSelect
        label={t('templateOf', { name: row.department.name })}
        entityId={row.entity_id}
        value={chosen}
        known={template ?? undefined}
        onChange={choose}
        error={assign.error ? (assign.error.fieldErrors['template_id'] ?? assign.error.message) : undefined}
      />
    </Box>
  );
}
