import type { ReactNode } from 'react';
import classes from './Filters.module.css';

/** A row of filters above a list; the first is the search field. */
export const Filters = ({ children, belowTabs }: { children: ReactNode; belowTabs?: true }) => (
  <search className={classes['filters']} data-tabs={belowTabs}>
    {children}
  </search>
);
