import type { Employee } from '@tenure/contract';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../../ui/lazy-part.ts';
import classes from './summary.module.css';

const Summary = lazyPart(() => import('./Summary.tsx'), 'Summary');

/** The tabs of a profile with the summary: beside them where there is room, else below. */
export const WithSummary = ({ employee, children }: { employee: Employee; children: ReactNode }) => (
  <div className={classes['columns']}>
    {children}
    <div className={classes['aside']}>
      <Suspense fallback={<div className={classes['card']} />}>
        <Summary employee={employee} />
      </Suspense>
    </div>
  </div>
);
