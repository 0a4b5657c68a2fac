import { useMediaQuery } from '@mantine/hooks';

/** Is the window as narrow as a phone's? */
export const usePhone = (): boolean => useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });

/** Is the window too narrow for a sidebar? */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });

/** Is a finger the main pointer? It cannot drag files onto a page. */
export const useTouch = (): boolean => useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
