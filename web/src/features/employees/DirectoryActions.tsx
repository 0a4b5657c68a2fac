import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { employees } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { usePhone } from '../../ui/use-phone.ts';
import type { EmployeesSearch } from './search.ts';

const formats = ['csv', 'xlsx'] as const;

/** Taking the list along and bringing people in, for those who may. */
export function DirectoryActions({ search }: { search: EmployeesSearch }) {
  const t = useTranslations('employees');
  const { can } = useSession();
  const phone = usePhone();
  const { page: _page, per_page: _size, ...filters } = search;
  return (
    <>
      {can('employees.export') && !phone && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {formats.map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={address(employees.export, { query: { ...filters, format } })}
                download
              >
                {t(`format.${format}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {can('employees.import') && (
        <Button component={Link} to={paths.newImport} leftSection={<IconFileImport size={16} aria-hidden />}>
          {t('import')}
        </Button>
      )}
    </>
  );
}
