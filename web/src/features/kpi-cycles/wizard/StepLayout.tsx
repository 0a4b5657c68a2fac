import { Flex, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePhone } from '../../../ui/use-phone.ts';

type Props = {
  title: string;
  /** Uses the full page width, for content wider than a form column. */
  wide?: boolean;
  children: ReactNode;
  /** Below the scrolling part, such as a table with its own height. */
  below?: ReactNode;
  footer: ReactNode;
};

/** The layout of a step, with its buttons fixed at the bottom. */
export function StepLayout({ title, wide = false, children, below, footer }: Props) {
  const phone = usePhone();
  return (
    <Flex
      direction="column"
      flex={phone ? '1 0 auto' : 1}
      mih={0}
      pos="relative"
      style={{ overflow: phone ? 'visible' : 'auto', borderBlockStart: '1px solid var(--line)' }}
    >
      <Stack
        gap={24}
        w="100%"
        px="gutter"
        pt={20}
        pb={28}
        {...(!wide && { maw: '46rem' })}
        flex={below === undefined ? '1 0 auto' : 'none'}
      >
        <Title order={2}>{title}</Title>
        {children}
      </Stack>
      {below !== undefined && (
        <Flex direction="column" flex="1 0 18rem" mih={0}>
          {below}
        </Flex>
      )}
      {footer}
    </Flex>
  );
}
