import type { ReactNode } from 'react';
import classes from './Panes.module.css';

/** What somebody wrote, under what was asked. */
export const Said = ({ label, text }: { label: string; text: ReactNode }) => (
  <div className={classes['said']}>
    <h4>{label}</h4>
    {text ? <p className={classes['words']}>{text}</p> : <p className="muted">–</p>}
  </div>
);
