import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { Notice } from '../../../ui/Notice.tsx';
import type { FilterProps } from '../search.ts';

/** A notice that only the people of one import are listed, with links to it and to all people. */
export function ImportedOnly({ search: { import_id: id }, onChange }: FilterProps) {
  const t = useTranslations('employees.imported');
  if (id === undefined) return null;
  return (
    <Notice>
      <Group gap="xs">
        {t('only')}
        <Link to={paths.import} params={{ id: String(id) }}>
          {t('open')}
        </Link>
        <Button variant="default" size="compact-sm" onClick={() => onChange({ import_id: undefined })}>
          {t('everybody')}
        </Button>
      </Group>
    </Notice>
  );
}
