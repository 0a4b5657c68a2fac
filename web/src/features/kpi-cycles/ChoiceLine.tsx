import { Box, Flex } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';

type Props = ComponentProps<'input'> & { label: string; note?: ReactNode; strong?: boolean };

/** A checkbox or radio button with its label, and a number at the end of the line. */
export const ChoiceLine = ({ label, note, strong = false, ...props }: Props) => (
  <Flex
    component="label"
    align="center"
    gap={10}
    mih={36}
    style={{ cursor: 'pointer' }}
    {...(strong && { fw: 600, pt: 6 })}
  >
    <input {...props} style={{ flex: 'none', width: 16, height: 16, margin: 0, accentColor: 'var(--filled)' }} />
    <Box component="bdi" miw={0} style={{ overflowWrap: 'anywhere' }}>
      {label}
    </Box>
    {note !== undefined && (
      <Box component="span" ms="auto" c="var(--ink-2)" fz="sm" style={{ whiteSpace: 'nowrap' }}>
        {note}
      </Box>
    )}
  </Flex>
);
