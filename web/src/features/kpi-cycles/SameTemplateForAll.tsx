import { Box, Button, Checkbox, Flex } from '@mantine/core';
import { kpiCycles, type CycleDepartment, type KpiCycle, type Ref } from '@tenure/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { refetchRecords } from '../../api/query.ts';
import { forEachOf, type Failed } from './for-each.ts';
import { allCycleDepartments } from './all-cycle-departments.ts';
import { TemplateSelect } from './TemplateSelect.tsx';
import { Refused } from './Refused.tsx';

/** Assigns one template to all departments of a company, or to those without one. */
export function SameTemplateForAll({ cycle }: { cycle: KpiCycle }) {
  const t = useTranslations('kpiCycles');
  const chosen = useQuery(allCycleDepartments(cycle.id)).data ?? [];
  const open = chosen.filter(({ allowed_actions: allowed }) => allowed.includes('update'));
  const companies = new Map(open.map(({ entity }) => [entity.id, entity]));
  if (open.length < 2) return null;
  return (
    <Box
      component="section"
      aria-label={t('sameForAll')}
      px={16}
      pt={14}
      pb={16}
      bd="1px solid var(--line)"
      bdrs={12}
      bg="var(--sunken)"
    >
      <Flex component="ul" direction="column" gap={14}>
        {[...companies.values()].map((entity) => (
          <OneCompany
            key={entity.id}
            cycle={cycle}
            entity={entity}
            rows={open.filter(({ entity_id }) => entity_id === entity.id)}
          />
        ))}
      </Flex>
    </Box>
  );
}

type CompanyProps = { cycle: KpiCycle; entity: Ref; rows: readonly CycleDepartment[] };

function OneCompany({ cycle, entity, rows }: CompanyProps) {
  const t = useTranslations('kpiCycles');
  const [template, setTemplate] = useState<number>();
  const [onlyEmpty, setOnlyEmpty] = useState(true);
  const { assign, done, failed } = useAssignment(cycle.id);
  const wanted = rows.filter(({ template_id }) => (onlyEmpty ? template_id === null : template_id !== template));
  return (
    <Flex component="li" wrap="wrap" align="end" gap={8}>
      <Box flex="0 1 22rem" miw={0}>
        <TemplateSelect
          label={t('templateForAll', { company: entity.name, count: rows.length })}
          labelled
          entityId={entity.id}
          value={template}
          onChange={setTemplate}
        />
      </Box>
      <Button
        variant="default"
        loading={done !== undefined}
        disabled={template === undefined || wanted.length === 0}
        onClick={() => void assign(wanted, template)}
      >
        {t('useFor', { count: wanted.length })}
      </Button>
      <Checkbox
        label={t('onlyEmpty')}
        mb={8}
        checked={onlyEmpty}
        onChange={(event) => setOnlyEmpty(event.currentTarget.checked)}
      />
      <output className="visually-hidden">{done !== undefined && t('doneOf', { done, total: wanted.length })}</output>
      {failed.map(({ item, error }) => (
        <Refused key={item.id} name={item.department.name} reason={error.message} />
      ))}
    </Flex>
  );
}

/** Assigns a template to departments, a few at a time. */
function useAssignment(cycleId: number) {
  const queries = useQueryClient();
  const [done, setDone] = useState<number>();
  const [failed, setFailed] = useState<Failed<CycleDepartment>[]>([]);
  const assign = async (rows: readonly CycleDepartment[], template: number | undefined) => {
    setDone(0);
    const refused = await forEachOf(
      rows,
      ({ department_id: departmentId, revision }) =>
        call(kpiCycles.assignDepartment, {
          params: { id: cycleId, departmentId },
          body: { template_id: template ?? null, revision },
        }),
      setDone,
    );
    setFailed(refused);
    setDone(undefined);
    await refetchRecords(queries);
  };
  return { assign, done, failed };
}
