import type { ReactNode } from 'react';
import classes from './Facts.module.css';

export type Fact = { label: string; value: ReactNode };

/** A titled list of what is known. A value that is absent has no entry; one that is empty shows a dash. */
export function Facts({ title, facts }: { title: string; facts: readonly (Fact | false)[] }) {
  const shown = facts.filter((fact) => fact !== false);
  if (shown.length === 0) return null;
  return (
    <section className={classes['facts']}>
      <h2>{title}</h2>
      <dl>
        {shown.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? <span className="muted">–</span>}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
