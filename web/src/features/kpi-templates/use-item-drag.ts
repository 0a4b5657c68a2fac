import { type DragEvent, useState } from 'react';

type Drag = {
  from: number;
  /** The drop target, as the index of the item below the gap; 0 is above the first. */
  gap: number;
};

/** Moves items by dragging their handle with the mouse; the keyboard uses buttons. */
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
        // The browser cancels a drag whose source changes at its start.
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
    /** On which side of an item a line shows the drop target. */
    lineAt: (index: number, last: boolean): 'above' | 'below' | undefined => {
      if (!drag || drag.gap === drag.from || drag.gap === drag.from + 1) return undefined;
      if (drag.gap === index) return 'above';
      return last && drag.gap === index + 1 ? 'below' : undefined;
    },
    isDragged: (index: number) => drag?.from === index,
  };
}
