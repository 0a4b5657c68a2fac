import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { RecordConflict } from './RecordConflict.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import type { RecordForm } from './use-record-form.ts';

type Props = {
  record: RecordForm;
  /** The fields that show their own messages. */
  fields: readonly string[];
  /** The label of a field with conflicting changes. */
  label: (name: string) => string;
  /** The displayed text of a value of such a field. */
  show?: (name: string, value: string) => string;
  submit: string;
  /** Set if the form has more input than its record. */
  isDirty?: boolean;
  children: ReactNode;
};

const asStored = (_name: string, value: string) => value;

/** The form of one record with its button, its error, the conflict dialog and the guard for unsaved input. */
export function RecordFormFrame({
  record,
  fields,
  label,
  show = asStored,
  submit,
  isDirty = record.isDirty,
  children,
}: Props) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        record.save();
      }}
    >
      <Stack gap={16} px="gutter" pb={32} maw="44rem">
        <ErrorNotice error={record.error} fields={fields} />
        {children}
        <div>
          <Button type="submit" loading={record.isPending} disabled={!isDirty && !record.isNew}>
            {submit}
          </Button>
        </div>
      </Stack>
      <RecordConflict record={record} label={label} show={show} />
      <LeaveGuard when={isDirty && !record.isPending} />
    </form>
  );
}
