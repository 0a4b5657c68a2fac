import type { ReactNode } from 'react';
import classes from './FootBar.module.css';

type Props = { label?: string; children?: ReactNode; actions: ReactNode };

/** The bar at the bottom of a page with persistent information and actions. Toasts appear above it. */
export const FootBar = ({ label, children, actions }: Props) => (
  <section className={classes['bar']} aria-label={label} data-foot>
    {children}
    <div className={classes['actions']}>{actions}</div>
  </section>
);
