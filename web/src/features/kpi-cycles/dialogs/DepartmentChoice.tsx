import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { everyChosen } from '../every-chosen.ts';
import classes from '../form.module.css';

type Props = {
  cycleId: number;
  /** Undefined while all of them are meant. */
  chosen: readonly number[] | undefined;
  onChange: (chosen: readonly number[] | undefined) => void;
};

/** All departments of a cycle, or some of them. */
export function DepartmentChoice({ cycleId, chosen, onChange }: Props) {
  const t = useTranslations('kpiCycles');
  const rows = useQuery(everyChosen(cycleId)).data ?? [];
  if (rows.length < 2) return null;
  const toggle = (id: number, on: boolean) =>
    onChange(on ? [...(chosen ?? []), id] : (chosen ?? []).filter((one) => one !== id));
  return (
    <div className={classes['choices']}>
      <Checkbox
        label={t('allDepartments', { count: rows.length })}
        checked={chosen === undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? undefined : rows.map((row) => row.department_id))}
      />
      {chosen && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <section className={classes['departments']} aria-label={t('tabs.departments')} tabIndex={0}>
          <ul>
            {rows.map(({ department_id: id, department, is_published }) => (
              <li key={id}>
                <label className={classes['choice']}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(id)}
                    onChange={(event) => toggle(id, event.currentTarget.checked)}
                  />
                  <bdi>{department.name}</bdi>
                  {is_published && <span>{t('status.published')}</span>}
                </label>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
