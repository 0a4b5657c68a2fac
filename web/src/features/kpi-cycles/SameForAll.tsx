import { Button, Checkbox } from '@mantine/core';
import { kpiCycles, type CycleDepartment, type KpiCycle, type Ref } from '@tenure/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import classes from './assign.module.css';
import { forEachOf, type Failed } from './each.ts';
import { everyChosen } from './every-chosen.ts';
import { TemplateSelect } from './TemplateSelect.tsx';

/** One template for all departments of a company, or for those that have none yet. */
export function SameForAll({ cycle }: { cycle: KpiCycle }) {
  const t = useTranslations('kpiCycles');
  const chosen = useQuery(everyChosen(cycle.id)).data ?? [];
  const open = chosen.filter(({ allowed_actions: allowed }) => allowed.includes('update'));
  const companies = new Map(open.map(({ entity }) => [entity.id, entity]));
  if (open.length < 2) return null;
  return (
    <section className={classes['same']} aria-label={t('sameForAll')}>
      <ul>
        {[...companies.values()].map((entity) => (
          <OneCompany
            key={entity.id}
            cycle={cycle}
            entity={entity}
            rows={open.filter(({ entity_id }) => entity_id === entity.id)}
          />
        ))}
      </ul>
    </section>
  );
}

type CompanyProps = { cycle: KpiCycle; entity: Ref; rows: readonly CycleDepartment[] };

function OneCompany({ cycle, entity, rows }: CompanyProps) {
  const t = useTranslations('kpiCycles');
  const queries = useQueryClient();
  const [template, setTemplate] = useState<number>();
  const [onlyEmpty, setOnlyEmpty] = useState(true);
  const [done, setDone] = useState<number>();
  const [failed, setFailed] = useState<Failed<CycleDepartment>[]>([]);
  const wanted = rows.filter(({ template_id }) => (onlyEmpty ? template_id === null : template_id !== template));
  const apply = async () => {
    setDone(0);
    const refused = await forEachOf(
      wanted,
      ({ department_id: departmentId, revision }) =>
        call(kpiCycles.assignDepartment, {
          params: { id: cycle.id, departmentId },
          body: { template_id: template ?? null, revision },
        }),
      setDone,
    );
    setFailed(refused);
    setDone(undefined);
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
  return (
    <li>
      <TemplateSelect
        label={t('templateForAll', { company: entity.name, count: rows.length })}
        labelled
        entityId={entity.id}
        value={template}
        onChange={setTemplate}
      />
      <Button
        variant="default"
        loading={done !== undefined}
        disabled={template === undefined || wanted.length === 0}
        onClick={() => void apply()}
      >
        {t('useFor', { count: wanted.length })}
      </Button>
      <Checkbox
        label={t('onlyEmpty')}
        checked={onlyEmpty}
        onChange={(event) => setOnlyEmpty(event.currentTarget.checked)}
      />
      <output className="visually-hidden">{done !== undefined && t('doneOf', { done, total: wanted.length })}</output>
      {failed.map(({ item, error }) => (
        <p key={item.id} className={classes['wrong']} role="alert">
          {t('refusedFor', { name: item.department.name, reason: error.message })}
        </p>
      ))}
    </li>
  );
}
