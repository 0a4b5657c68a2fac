import { Group } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { AnyField } from './fields.ts';
import classes from './imports.module.css';
import { useFieldName } from './use-field-name.ts';

type Props = { fields: readonly { field: AnyField; state?: 'required' | 'open' | 'filled' }[] };

/** A list of field names; a required one is highlighted and has a tick once a column fills it. */
export function FieldChips({ fields }: Props) {
  const names = useFieldName();
  return (
    <Group gap={5} renderRoot={(props) => <ul {...props} />}>
      {fields.map(({ field, state }) => (
        <li key={field} className={classes['chip']} data-state={state}>
          {state === 'filled' && <IconCheck size={13} stroke={2.4} aria-hidden />}
          {names(field)}
        </li>
      ))}
    </Group>
  );
}
