import { Flex } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePhone } from './use-phone.ts';

type Props = { label?: string; children?: ReactNode; actions: ReactNode };

/** Stays at the foot of the page: what is to be seen all the time, and the way on. What was done is said above it. */
export const FootBar = ({ label, children, actions }: Props) => {
  const phone = usePhone();
  return (
    <Flex
      component="section"
      aria-label={label}
      data-foot
      pos="sticky"
      bottom={0}
      wrap="wrap"
      align="center"
      justify="space-between"
      gap="8px 20px"
      mt="auto"
      px="gutter"
      py={10}
      bg="var(--sheet)"
      fz="sm"
      style={{ zIndex: 5, borderBlockStart: '1px solid var(--line)' }}
    >
      {children}
      <Flex
        wrap="wrap"
        align="center"
        gap="8px 12px"
        ms="auto"
        {...(phone && { flex: '1 1 100%', justify: 'space-between' })}
      >
        {actions}
      </Flex>
    </Flex>
  );
};
