import type { Employee } from '@tenure/contract';
import { FieldInput } from './FieldInput.tsx';
import type { Field } from './fields.ts';
import type { PersonForm } from './use-person-form.ts';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';

type Props = { fields: readonly Field[]; form: PersonForm; employee?: Employee };

/** Fields in two columns where the width allows it. */
export const FieldGrid = ({ fields, form, employee }: Props) => (
  <AutoGrid min="16rem" gap="16px 20px">
    {fields.map((field) => (
      <FieldInput key={field.name} field={field} form={form} employee={employee} />
    ))}
  </AutoGrid>
);
