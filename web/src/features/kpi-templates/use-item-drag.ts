import { type DragEvent, useState } from 'react';

type Drag = {
  from: number;
  /** The gap it would be dropped into: 0 is above the first. */
  gap: number;
};

/** Moves the items of a list with the mouse, by a handle; the keyboard has buttons for the same. */
export function useItemDrag(onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag>();
  return {
    handle: (index: number) => ({
      draggable: true,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        const card = event.currentTarget.closest('li');
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', String(index + 1));
        if (card) event.dataTransfer.setDragImage(card, 16, 16);
        // A browser gives up a drag whose source changes at its start.
        setTimeout(() => setDrag({ from: index, gap: index }));
      },
      onDragEnd: () => setDrag(undefined),
    }),
    target: (index: number) => ({
      onDragOver: (event: DragEvent<HTMLElement>) => {
        if (!drag) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        setDrag({ from: drag.from, gap: event.clientY > top + height / 2 ? index + 1 : index });
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        if (!drag) return;
        event.preventDefault();
        const to = drag.gap > drag.from ? drag.gap - 1 : drag.gap;
        if (to !== drag.from) onMove(drag.from, to);
        setDrag(undefined);
      },
    }),
    /** Where a line shows that the item would come to stand. */
    lineAt: (index: number, last: boolean): 'above' | 'below' | undefined => {
      if (!drag || drag.gap === drag.from || drag.gap === drag.from + 1) return undefined;
      if (drag.gap === index) return 'above';
      return last && drag.gap === index + 1 ? 'below' : undefined;
    },
    isDragged: (index: number) => drag?.from === index,
  };
}
