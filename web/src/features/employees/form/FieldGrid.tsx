import type { Employee } from '@tenure/contract';
import { FieldInput } from './FieldInput.tsx';
import type { Field } from './fields.ts';
import classes from './form.module.css';
import type { PersonForm } from './use-person-form.ts';

type Props = { fields: readonly Field[]; form: PersonForm; employee?: Employee };

/** Fields in two columns where there is room for them. */
export const FieldGrid = ({ fields, form, employee }: Props) => (
  <div className={classes['grid']}>
    {fields.map((field) => (
      <FieldInput key={field.name} field={field} form={form} employee={employee} />
    ))}
  </div>
);
