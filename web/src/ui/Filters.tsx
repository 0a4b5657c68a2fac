import type { ReactNode } from 'react';
import classes from './Filters.module.css';

type Props = { children: ReactNode; belowTabs?: true; /** Its surroundings have the space beside it. */ flush?: true };

/** A row of filters above a list; the first is the search field, if there is one. */
export const Filters = ({ children, belowTabs, flush }: Props) => (
  <search className={classes['filters']} data-tabs={belowTabs} data-flush={flush}>
    {children}
  </search>
);
