import type { ReactNode } from 'react';
import classes from './FootBar.module.css';

type Props = { label?: string; children?: ReactNode; actions: ReactNode };

/** Stays at the foot of the page: what is to be seen all the time, and the way on. What was done is said above it. */
export const FootBar = ({ label, children, actions }: Props) => (
  <section className={classes['bar']} aria-label={label} data-foot>
    {children}
    <div className={classes['actions']}>{actions}</div>
  </section>
);
