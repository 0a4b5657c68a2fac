import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from './use-page-title.ts';

type Props = { title: string; lead?: ReactNode; children?: ReactNode };

/** The h1 of a page, a line below it, and the actions of the page. */
export function PageHeader({ title, lead, children }: Props) {
  usePageTitle(title);
  // on a phone, a sentence is not squeezed beside the actions
  const flex = typeof lead === 'string' ? { base: 'auto', sm: 1 } : 1;
  return (
    <Group gap={8} px="gutter" pt="calc(var(--gutter) / 2 + 8px)" pb="calc(var(--gutter) / 4 + 8px)">
      <Box flex={flex} miw="12rem" style={{ overflowWrap: 'anywhere' }}>
        <Title order={1}>{title}</Title>
        {lead !== undefined && (
          <Box mih="1.4em" c="var(--ink-2)" fz="sm" lh={1.4}>
            {lead}
          </Box>
        )}
      </Box>
      {children}
    </Group>
  );
}
