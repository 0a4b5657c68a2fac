import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConflictView } from './ConflictView.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import type { RecordForm } from './use-record-form.ts';

type Props = {
  record: RecordForm;
  /** The names of the fields, whose refusals are shown beside them. */
  fields: readonly string[];
  /** The label of a field that another person changed meanwhile. */
  label: (name: string) => string;
  /** A value of such a field as people read it. */
  show?: (name: string, value: string) => string;
  submit: string;
  /** Where the form has more than its record. */
  isDirty?: boolean;
  children: ReactNode;
};

const asStored = (_name: string, value: string) => value;

/** A form of one record with its button, what was refused, what another person changed, and the question before it is left. */
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
      <ConflictView
        differences={record.differences}
        label={label}
        show={show}
        onResolve={record.resolve}
        onCancel={record.backToForm}
        saving={record.isPending}
      />
      <LeaveGuard when={isDirty && !record.isPending} />
    </form>
  );
}
