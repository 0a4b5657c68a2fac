import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFileImport, IconPlus } from '@tabler/icons-react';
import { employees } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { address } from '../../../api/call.ts';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import { listQueryOf, type EmployeesSearch } from '../search.ts';

const formats = ['csv', 'xlsx'] as const;

/** Taking the list along, bringing people in, adding one, for those who may. */
export function DirectoryActions({ search }: { search: EmployeesSearch }) {
  const t = useTranslations('employees');
  const { can } = useSession();
  const phone = usePhone();
  const { page: _page, per_page: _size, ...filters } = listQueryOf(search);
  return (
    <>
      {can('employees.export') && !phone && <ExportMenu label={t('export')} query={filters} />}
      {can('employees.import') && !phone && (
        <Button
          component={Link}
          to={paths.newImport}
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
        >
          {t('import')}
        </Button>
      )}
      {can('employees.create') && (
        <Button component={Link} to={paths.newEmployee} leftSection={<IconPlus size={16} aria-hidden />}>
          {t('add')}
        </Button>
      )}
    </>
  );
}

type ExportProps = { label: string; query: Record<string, unknown>; size?: 'sm' | 'compact-sm' };

/** A list or a selection as a file. */
export function ExportMenu({ label, query, size = 'sm' }: ExportProps) {
  const t = useTranslations('employees');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size={size} leftSection={<IconDownload size={16} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={address(employees.export, { query: { ...query, format } })}
            download
          >
            {t(`format.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
