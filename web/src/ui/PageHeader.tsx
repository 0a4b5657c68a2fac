import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './PageHeader.module.css';
import { usePageTitle } from './use-page-title.ts';

type Props = { title: string; lead?: ReactNode; children?: ReactNode };

/** The h1 of a page, a line below it, and the actions of the page. */
export function PageHeader({ title, lead, children }: Props) {
  usePageTitle(title);
  return (
    <Group gap={8} px="gutter" pt="calc(var(--gutter) / 2 + 8px)" pb="calc(var(--gutter) / 4 + 8px)">
      <Box className={classes['text']} mod={{ sentence: typeof lead === 'string' }}>
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
