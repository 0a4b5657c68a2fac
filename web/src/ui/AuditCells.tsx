import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** The changed fields of an audit entry. */
export const ChangedFields = ({ children }: { children: ReactNode }) => (
  <Stack
    gap={2}
    maw="34rem"
    py={8}
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
