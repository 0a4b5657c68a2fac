import { Button } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import { ExportPeople } from './ExportPeople.tsx';
import { listQueryOf, type EmployeesSearch } from '../search.ts';

/** Export, import and new person, by permission. */
export function DirectoryActions({ search }: { search: EmployeesSearch }) {
  const t = useTranslations('employees');
  const { can } = useSession();
  const phone = usePhone();
  const { page: _page, per_page: _size, ...filters } = listQueryOf(search);
  const isToday = search.as_of === undefined;
  return (
    <>
      {can('employees.export') && !phone && <ExportPeople label={t('export')} query={filters} />}
      {can('employees.import') && !phone && isToday && (
        <Button
          component={Link}
          to={paths.newImport}
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
        >
          {t('import')}
        </Button>
      )}
      {can('employees.update') && !phone && isToday && (
        <Button component={Link} to={paths.plannedChanges} variant="default">
          {t('planned.all')}
        </Button>
      )}
      {can('employees.create') && isToday && (
        <Button component={Link} to={paths.newEmployee} leftSection={<IconPlus size={16} aria-hidden />}>
          {t('add')}
        </Button>
      )}
    </>
  );
}
