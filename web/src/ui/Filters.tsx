import type { ReactNode } from 'react';
import classes from './Filters.module.css';

/** What narrows a list, in a row above it; the first is the field to search in. */
export const Filters = ({ children, belowTabs }: { children: ReactNode; belowTabs?: true }) => (
  <search className={classes['filters']} data-tabs={belowTabs}>
    {children}
  </search>
);
