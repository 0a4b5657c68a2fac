import type { Employee } from '@tenure/contract';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../../ui/lazy-part.ts';
import classes from './summary.module.css';

const Summary = lazyPart(() => import('./Summary.tsx'), 'Summary');

type Props = {
  employee: Employee;
  /** Omits the summary where it would be below the tabs: content that loads later would push it down. */
  onlyBeside: boolean;
  children: ReactNode;
};

/** The tabs of a profile with the summary: beside them where there is room, else below the overview. */
export const WithSummary = ({ employee, onlyBeside, children }: Props) => (
  <div className={classes['columns']}>
    {children}
    <div className={classes['aside']} {...(onlyBeside && { 'data-only-beside': true })}>
      <Suspense fallback={<div className={classes['card']} />}>
        <Summary employee={employee} />
      </Suspense>
    </div>
  </div>
);
