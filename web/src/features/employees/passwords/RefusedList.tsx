import { useTranslations } from 'use-intl';
import type { Refusal } from './issue.ts';
import classes from './passwords.module.css';

/** Who gets no password, each with why. */
export function RefusedList({ refused }: { refused: readonly Refusal[] }) {
  const t = useTranslations('passwords');
  if (refused.length === 0) return null;
  return (
    <section className={classes['refused']} aria-label={t('refusedLabel')}>
      <p>{t('refused', { count: refused.length })}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <ul tabIndex={0}>
        {refused.map(({ id, person, reason }) => (
          <li key={id}>
            <bdi>{person ? `${person.name} · ${person.employee_number}` : t('unknown', { id })}</bdi>
            <span className="muted">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
