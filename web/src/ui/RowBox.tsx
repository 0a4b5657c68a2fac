import { Checkbox } from '@mantine/core';
import type { RowBoxProps } from './DataTable.tsx';

/** The checkbox of a row, or of all rows of a page. */
export const RowBox = (props: RowBoxProps) => <Checkbox size="xs" {...props} />;
