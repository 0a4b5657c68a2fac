import { Box, type BoxProps, type ElementProps } from '@mantine/core';

type Props = Omit<BoxProps, 'style'> & ElementProps<'div', 'style'> & { line?: boolean };

/** Takes what room there is and scrolls by itself; it holds texts for screen readers, which are positioned. */
export const ScrollPane = ({ line = false, ...props }: Props) => (
  <Box
    {...props}
    flex={1}
    mih={0}
    pos="relative"
    style={{ overflow: 'auto', ...(line && { borderBlockStart: '1px solid var(--line)' }) }}
  />
);
