import { Box, type BoxProps, type ElementProps } from '@mantine/core';

type Props = Omit<BoxProps, 'style'> &
  ElementProps<'div', 'style'> & {
    /** The minimum width of a column. */
    min: string;
    gap: number | string;
    align?: 'start' | 'end';
    /** Empty columns give their width to the others. */
    fit?: boolean;
    component?: 'div' | 'dl' | 'ul';
  };

/** As many columns as fit. `SimpleGrid` writes a style element, which the content security policy forbids. */
export const AutoGrid = ({ min, gap, align = 'start', fit = false, component = 'div', ...props }: Props) => (
  <Box
    {...props}
    component={component as 'div'}
    style={{
      display: 'grid',
      gridTemplateColumns: `repeat(auto-${fit ? 'fit' : 'fill'}, minmax(min(${min}, 100%), 1fr))`,
      alignItems: align,
      gap,
    }}
  />
);
