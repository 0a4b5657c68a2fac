import { Box, Button, Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import { Filters } from '../../ui/Filters.tsx';
import { Message } from '../../ui/Message.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Assignments } from './Assignments.tsx';
import { SameTemplateForAll } from './SameTemplateForAll.tsx';
import type { TabProps } from './search.ts';

/** The departments of a cycle, each with its template. */
export function DepartmentsTab({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycles');
  const mayChange = cycle.allowed_actions.includes('publish') && cycle.status !== 'closed';
  const isNarrowed = search.search !== undefined || search.without === true;
  return (
    <>
      <DepartmentFilters cycle={cycle} search={search} onChange={onChange} mayChange={mayChange} />
      {mayChange && (
        <Box px="gutter" pb={12}>
          <SameTemplateForAll cycle={cycle} />
        </Box>
      )}
      <Assignments
        cycle={cycle}
        asked={{ page: search.page, search: search.search, without: search.without }}
        onPage={(page) => onChange({ page })}
        empty={
          isNarrowed ? (
            <Message title={t('noDepartmentFound')}>{t('noResultText')}</Message>
          ) : (
            <Message title={t('noDepartments')}>{t('noDepartmentsText')}</Message>
          )
        }
      />
    </>
  );
}

function DepartmentFilters({ cycle, search, onChange, mayChange }: TabProps & { mayChange: boolean }) {
  const t = useTranslations('kpiCycles');
  const change = (patch: object) => onChange(patch);
  return (
    <Filters belowTabs>
      <SearchField label={t('searchDepartments')} value={search.search} onChange={(text) => change({ search: text })} />
      <Checkbox
        label={t('withoutTemplate')}
        checked={search.without === true}
        onChange={(event) => change({ without: event.currentTarget.checked || undefined })}
      />
      <Box flex={1} />
      {mayChange && (
        <Button
          renderRoot={(props) => <Link {...props} to={paths.newKpiCycle} search={{ cycle: cycle.id, step: 'who' }} />}
          variant="default"
        >
          {t('chooseDepartments')}
        </Button>
      )}
    </Filters>
  );
}
