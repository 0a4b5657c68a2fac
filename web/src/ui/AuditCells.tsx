import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePhone } from './use-phone.ts';

/** The changed fields of an audit entry; in a card on a phone, they start beside their label. */
export const ChangedFields = ({ children }: { children: ReactNode }) => (
  <Stack
    gap={2}
    maw="34rem"
    py={usePhone() ? 0 : 8}
    style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
    renderRoot={(props) => <ul {...props} />}
  >
    {children}
  </Stack>
);

/** The reason of a change. */
export const Reason = ({ text }: { text: string | null }) =>
  text === null ? (
    <span className="muted">–</span>
  ) : (
    <Box component="span" display="block" maw="18rem" style={{ whiteSpace: 'normal' }}>
      {text}
    </Box>
  );
