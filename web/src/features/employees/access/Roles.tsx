import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { Employee, HeldRoles } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './access.module.css';
import { FormerRoles } from './FormerRoles.tsx';
import { RolesForm } from './RolesForm.tsx';
import { useLimit } from './words.ts';

type Props = { employee: Employee; held: HeldRoles };

/** The roles somebody holds and how far each reaches; changed where they are read. */
export function Roles({ employee, held }: Props) {
  const t = useTranslations('access');
  const limit = useLimit();
  const [editing, setEditing] = useState<'held' | 'former'>();
  const { departments, direct_reports: reports } = held.manages;
  if (editing)
    return (
      <RolesForm
        employee={employee}
        held={held}
        {...(editing === 'former' && { added: held.former })}
        onClose={() => setEditing(undefined)}
      />
    );
  return (
    <section className={classes['section']} aria-label={t('roles')}>
      <div className={classes['head']}>
        <h2>{t('roles')}</h2>
        {employee.allowed_actions.includes('roles') && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={() => setEditing('held')}
          >
            {t('change')}
          </Button>
        )}
      </div>
      <ul className={classes['roles']}>
        {held.assignments.map((one) => (
          <li key={one.role_id}>
            <strong>{one.role}</strong>
            <span className="muted">
              {t(`reach.${one.scope}`)}
              {one.scope !== 'own' && ` · ${limit(one.entities)}`}
            </span>
          </li>
        ))}
      </ul>
      <FormerRoles employee={employee} held={held} onGive={() => setEditing('former')} />
      {(departments.length > 0 || reports > 0) && (
        <p className="muted">
          {t('manages', { departments: departments.map(({ name }) => name).join(', ') || '–', reports })}
        </p>
      )}
    </section>
  );
}
