import { Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

type Props = { onSubmit: (event: FormEvent<HTMLFormElement>) => void; children: ReactNode };

/** A form of one column. The service validates the fields, so browser validation is off. */
export const FormSheet = ({ onSubmit, children }: Props) => (
  <form noValidate onSubmit={onSubmit}>
    <Stack gap={18} maw="34rem" px="gutter" pt={6} pb={32}>
      {children}
    </Stack>
  </form>
);
