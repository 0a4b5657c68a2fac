import type { ReactNode } from 'react';
import classes from './DescriptionList.module.css';

export type DescriptionItem = { label: string; value: ReactNode };

type Props = {
  title: string;
  items: readonly (DescriptionItem | false)[];
  /** Beside the title, such as a button to change what is below. */
  actions?: ReactNode;
  /** Said when there are no items; without it the section is left out then. */
  empty?: ReactNode;
  /** Below the items. */
  children?: ReactNode;
};

/** A titled list of what is known. A value that is absent has no entry; one that is empty shows a dash. */
export function DescriptionList({ title, items, actions, empty, children }: Props) {
  const shown = items.filter((item) => item !== false);
  if (shown.length === 0 && empty === undefined) return null;
  return (
    <section className={classes['list']}>
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
