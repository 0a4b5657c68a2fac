import { useReducedMotion } from '@mantine/hooks';
import type { Node, ReactFlowInstance, Viewport } from '@xyflow/react';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { CardData } from './Card.tsx';
import { boundsOf, card, type Placed } from './layout.ts';
import { firstView, isSeen, viewAt, viewOf, type Size } from './view.ts';

const moves = 250;
const focusZoom = 0.95;

const sizeOf = (box: RefObject<HTMLElement | null>): Size => ({
  width: box.current?.clientWidth ?? 0,
  height: box.current?.clientHeight ?? 0,
});

const middleOf = ({ x, y }: Placed): [number, number] => [x + card.width / 2, y + card.height / 2];

export type View = ReturnType<typeof useView>;

/**
 * The viewport of the canvas: everything, or the focused person, once found. It stays at a card that was just
 * expanded.
 * Over 40 lines: its effects share the refs of one canvas.
 */
export function useView(placed: readonly Placed[], focus: string | undefined, isFinding: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const held = useRef<Placed>(undefined);
  const [flow, setFlow] = useState<ReactFlowInstance<Node<CardData>>>();
  const duration = useReducedMotion() ? 0 : moves;

  const keepInPlace = useEffectEvent((now: readonly Placed[]) => {
    const before = held.current;
    const after = now.find(({ branch }) => branch.key === before?.branch.key);
    if (!flow || !before || !after) return;
    const { x, y, zoom } = flow.getViewport();
    held.current = after;
    void flow.setViewport({ x: x + (before.x - after.x) * zoom, y: y + (before.y - after.y) * zoom, zoom });
  });
  useLayoutEffect(() => keepInPlace(placed), [placed]);

  const focused = useMemo(() => placed.find(({ branch }) => branch.key === focus), [placed, focus]);
  const isEmpty = placed.length === 0;
  const initial = useRef<string>(undefined);
  const [start, setStart] = useState<Viewport>();
  const target = isEmpty ? 'nothing' : focus === undefined ? 'everything' : focused ? `${focus} there` : focus;
  // Before the first paint, so that the user does not click where a card no longer is.
  const begin = useEffectEvent(() => {
    if (start) return;
    if (!isEmpty && (focus === undefined || focused)) initial.current = target;
    setStart(focused ? viewAt(focused, sizeOf(box), focusZoom) : firstView(placed, sizeOf(box)));
  });
  useLayoutEffect(() => {
    if (!isFinding) begin();
  }, [isFinding]);
  const lookAt = useEffectEvent((view: ReactFlowInstance<Node<CardData>> | undefined, what: string) => {
    held.current = undefined;
    const isThere = what === initial.current;
    if (view) initial.current = undefined;
    if (isThere) return;
    if (what === 'everything') void view?.setViewport(firstView(placed, sizeOf(box)));
    else if (focused) void view?.setCenter(...middleOf(focused), { zoom: focusZoom, duration });
  });
  useEffect(() => lookAt(flow, target), [flow, target]);

  const moving = useMemo(() => {
    const one = (key: string) => placed.find(({ branch }) => branch.key === key);
    return {
      /** Keeps the card's screen position while the chart around it changes. */
      hold: (key: string) => {
        held.current = one(key);
      },
      /** Moves the viewport to the card unless it is visible. */
      bringIn: (key: string) => {
        const target = one(key);
        if (!flow || !target || isSeen(target, flow.getViewport(), sizeOf(box))) return;
        void flow.setCenter(...middleOf(target), { zoom: flow.getZoom() });
      },
      fit: () => void flow?.setViewport(viewOf(boundsOf(placed), sizeOf(box)), { duration }),
      zoomIn: () => void flow?.zoomIn({ duration }),
      zoomOut: () => void flow?.zoomOut({ duration }),
    };
  }, [placed, flow, duration]);
  return { box, start, isReady: flow !== undefined, onInit: setFlow, moving };
}
