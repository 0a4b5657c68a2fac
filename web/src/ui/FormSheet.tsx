import type { FormEvent, ReactNode } from 'react';
import classes from './FormSheet.module.css';

type Props = { onSubmit: (event: FormEvent<HTMLFormElement>) => void; children: ReactNode };

/** A form of one column. The service checks the fields, so the browser does not. */
export const FormSheet = ({ onSubmit, children }: Props) => (
  <form className={classes['form']} noValidate onSubmit={onSubmit}>
    {children}
  </form>
);
