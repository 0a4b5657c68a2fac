import type { ReactNode } from 'react';
import classes from './Panes.module.css';

type Props = { label: string; text: ReactNode; level?: 'h3' | 'h4' };

/** A text that a person wrote, below its label. */
export const LabelledText = ({ label, text, level: Heading = 'h4' }: Props) => (
  <div className={classes['said']}>
    <Heading>{label}</Heading>
    {text ? <p className={classes['words']}>{text}</p> : <p className="muted">–</p>}
  </div>
);
