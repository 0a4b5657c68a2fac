import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** The fields an entry of the audit log changed, below each other. */
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

/** Why something was changed. */
export const Reason = ({ text }: { text: string | null }) =>
  text === null ? (
    <span className="muted">–</span>
  ) : (
    <Box component="span" display="block" maw="18rem" style={{ whiteSpace: 'normal' }}>
      {text}
    </Box>
  );
