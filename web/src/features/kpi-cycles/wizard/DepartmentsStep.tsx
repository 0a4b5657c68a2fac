import { kpiCycles, type CycleDepartment, type Department } from '@tenure/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../../api/call.ts';
import { refetchRecords } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { useRegisterDraft, useStoredDraft } from '../../../ui/drafts.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { allDepartments } from '../../../api/all-departments.ts';
import { forEachOf, type Failed } from '../for-each.ts';
import { allCycleDepartments } from '../all-cycle-departments.ts';
import { SectionSkeleton } from '../SectionSkeleton.tsx';
import { DepartmentPicker } from './DepartmentPicker.tsx';
import { StepBar } from './StepBar.tsx';
import type { StepProps } from './steps.ts';
import { Refused } from '../Refused.tsx';
import { StepLayout } from './StepLayout.tsx';

/** Selects the departments of the cycle. */
export function DepartmentsStep(props: StepProps) {
  const { id, entity_id } = props.cycle;
  const departments = useQuery(allDepartments(entity_id ?? undefined));
  const chosen = useQuery(allCycleDepartments(id));
  const failed = departments.error ?? chosen.error;
  const retry = () => void Promise.all([departments.refetch(), chosen.refetch()]);
  if (failed) return <ErrorState error={failed} onRetry={retry} />;
  if (!departments.data || !chosen.data) return <SectionSkeleton />;
  const offered = departments.data.filter(({ status }) => status === 'active');
  return <Choice {...props} offered={offered} chosen={chosen.data} />;
}

type Change = { id: number; name: string; isAdded: boolean };
type ChoiceProps = StepProps & { offered: readonly Department[]; chosen: readonly CycleDepartment[] };

function Choice({ cycle, offered, chosen, onBack, onNext, onLater }: ChoiceProps) {
  const t = useTranslations('kpiCycles');
  const { wanted, setWanted, changes, isKept } = useChanges(cycle.id, offered, chosen);
  const { store, done, failed } = useStored(cycle.id);
  const isPending = done !== undefined;
  const save = async (next: () => void) => {
    if (await store(changes)) next();
  };
  const fixed = new Set(chosen.filter(({ is_published }) => is_published).map(({ department_id }) => department_id));
  const footer = (
    <StepBar
      onBack={onBack}
      onLater={() => void save(onLater)}
      onNext={() => void save(onNext)}
      isPending={isPending}
    />
  );
  return (
    <StepLayout title={t('steps.who')} wide footer={footer}>
      {isKept && <Notice kind="history">{t('kept')}</Notice>}
      {failed.length > 0 && <Notice>{t('someRefused', { count: failed.length })}</Notice>}
      {failed.map(({ item, error }) => (
        <Refused key={item.id} name={item.name} reason={error.message} />
      ))}
      <DepartmentPicker offered={offered} fixed={fixed} wanted={wanted} onChange={setWanted} />
      <output className="visually-hidden">{isPending && t('doneOf', { done, total: changes.length })}</output>
      <LeaveGuard when={changes.length > 0 && !isPending} />
    </StepLayout>
  );
}

/** The selected departments, and the changes that are not stored yet. */
function useChanges(cycleId: number, offered: readonly Department[], chosen: readonly CycleDepartment[]) {
  const { user } = useSession();
  const draft = `kpi-cycles.${cycleId}.who`;
  const kept = useStoredDraft<number[]>(draft, user?.id);
  const stored = new Set(chosen.map(({ department_id }) => department_id));
  const [wanted, setWanted] = useState<ReadonlySet<number>>(() => new Set(kept ?? stored));
  const changes: Change[] = [
    ...offered
      .filter(({ id }) => wanted.has(id) && !stored.has(id))
      .map(({ id, name }) => ({ id, name, isAdded: true })),
    ...chosen
      .filter(({ department_id, is_published }) => !wanted.has(department_id) && !is_published)
      .map(({ department_id, department }) => ({ id: department_id, name: department.name, isAdded: false })),
  ];
  useRegisterDraft(draft, () => (changes.length > 0 ? [...wanted] : undefined));
  return { wanted, setWanted, changes, isKept: kept !== undefined };
}

/** Stores the changes, a few departments at a time. Refused ones can be retried. */
function useStored(cycleId: number) {
  const queries = useQueryClient();
  const [done, setDone] = useState<number>();
  const [failed, setFailed] = useState<Failed<Change>[]>([]);
  const store = async (changes: readonly Change[]): Promise<boolean> => {
    setDone(0);
    const refused = await forEachOf(
      changes,
      ({ id, isAdded }) => {
        const params = { id: cycleId, departmentId: id };
        return isAdded
          ? call(kpiCycles.assignDepartment, { params, body: {} })
          : call(kpiCycles.removeDepartment, { params });
      },
      setDone,
    );
    setFailed(refused);
    await refetchRecords(queries);
    setDone(undefined);
    return refused.length === 0;
  };
  return { store, done, failed };
}
