import { Box, type BoxProps, type ElementProps } from '@mantine/core';

type Props = Omit<BoxProps, 'style'> & ElementProps<'div', 'style'> & { line?: boolean };

/** A scroll container that fills its parent; positioned, so that it contains visually hidden texts. */
export const ScrollPane = ({ line = false, ...props }: Props) => (
  <Box
    {...props}
    data-pane
    flex={1}
    mih={0}
    pos="relative"
    style={{ overflow: 'auto', ...(line && { borderBlockStart: '1px solid var(--line)' }) }}
  />
);
