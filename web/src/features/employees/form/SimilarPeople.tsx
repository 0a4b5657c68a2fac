import { Alert, Group, Stack } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { SimilarPerson } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';

/** People with a similar name, to prevent duplicates. The links open in a new tab, so that the input stays. */
export function SimilarPeople({ people }: { people: readonly SimilarPerson[] }) {
  const t = useTranslations('addPerson');
  return (
    <output hidden={people.length === 0}>
      {people.length > 0 && (
        <Alert color="yellow" icon={<IconUsers size={18} />} title={t('similar', { count: people.length })}>
          <Stack gap={8} mt={6} renderRoot={(props) => <ul {...props} />}>
            {people.map((person) => (
              <Group key={person.id} gap="2px 10px" renderRoot={(props) => <li {...props} />}>
                <a href={paths.employee.replace('$id', String(person.id))} target="_blank" rel="noreferrer">
                  <bdi>{person.name}</bdi>
                  <span className="visually-hidden"> {t('newTab')}</span>
                </a>
                <span className="muted">
                  {[person.employee_number, person.job_title, person.department.name, person.entity.name]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </Group>
            ))}
          </Stack>
        </Alert>
      )}
    </output>
  );
}
