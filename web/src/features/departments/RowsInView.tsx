import { useVirtualizer } from '@tanstack/react-virtual';
import { useImperativeHandle, type ReactNode, type Ref } from 'react';
import type { DepartmentRow } from './department-tree.ts';

type Props = {
  rows: readonly DepartmentRow[];
  drawn: (row: DepartmentRow, index: number) => ReactNode;
  /** The scroll container. */
  box: HTMLElement | null;
  bringIntoView: Ref<(index: number) => void>;
};

const rowHeight = 54;

/** Renders only the rows of a long table that are in view. */
export function RowsInView({ rows, drawn, box, bringIntoView }: Props) {
  // oxlint-disable-next-line react/incompatible-library -- its functions are used here only, never handed to memoised parts
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  useImperativeHandle(bringIntoView, () => (index) => virtual.scrollToIndex(index), [virtual]);
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {above > 0 && <Space height={above} />}
      {items.map(({ index }) => {
        const row = rows[index];
        return row && drawn(row, index);
      })}
      {below > 0 && <Space height={below} />}
    </>
  );
}

const Space = ({ height }: { height: number }) => <tr aria-hidden style={{ height }} />;
