import { Flex } from '@mantine/core';
import type { ReactNode } from 'react';
import { colorsOf, type Tone } from '../ui/tones.ts';

/** A line across the top of a page. */
export const Banner = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <Flex component="span" wrap="wrap" align="center" gap="4px 9px" px="gutter" py={8} fz="sm" {...colorsOf(tone)}>
    {children}
  </Flex>
);
