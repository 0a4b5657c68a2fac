import type { ReactNode } from 'react';
import classes from './Facts.module.css';

export type Fact = { label: string; value: ReactNode };

type Props = {
  title: string;
  facts: readonly (Fact | false)[];
  /** Beside the title, such as a button to change what is below. */
  actions?: ReactNode;
  /** Said when there are no facts; without it the section is left out then. */
  empty?: ReactNode;
  /** Below the facts. */
  children?: ReactNode;
};

/** A titled list of what is known. A value that is absent has no entry; one that is empty shows a dash. */
export function Facts({ title, facts, actions, empty, children }: Props) {
  const shown = facts.filter((fact) => fact !== false);
  if (shown.length === 0 && empty === undefined) return null;
  return (
    <section className={classes['facts']}>
      <div className={classes['title']}>
        <h2>{title}</h2>
        {actions}
      </div>
      {shown.length === 0 ? (
        empty
      ) : (
        <dl>
          {shown.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value ?? <span className="muted">–</span>}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </section>
  );
}
