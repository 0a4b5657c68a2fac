import './flow.css';
import { ActionIcon } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { MiniMap, ReactFlow, ReactFlowProvider, useStore, ViewportPortal, type Node } from '@xyflow/react';
import { useMemo, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { hasModifier } from '../../ui/has-modifier.ts';
import { usePhone } from '../../ui/use-phone.ts';
import { CanvasActions, Card, cardId, type CardData } from './Card.tsx';
import classes from './Canvas.module.css';
import { stepInChart } from './keys.ts';
import { card, layoutOf, linesOf, linesTo, type Placed } from './layout.ts';
import type { ChartProps } from './Outline.tsx';
import type { Branch } from './tree.ts';
import { useResettableState } from './use-resettable-state.ts';
import { useView, type View } from './use-view.ts';
import { zoomRange } from './view.ts';

const nodeTypes = { card: Card };
const noKeys = {
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  panActivationKeyCode: null,
  zoomActivationKeyCode: null,
} as const;
const still = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  zoomOnDoubleClick: false,
} as const;
const virtualFrom = 300;
const maxOnMap = 1_000;

type Props = ChartProps & {
  /** The focused person is not found yet: nothing is drawn, since it would move while the user reads it. */
  isFinding: boolean;
};

/** The chart as cards on a canvas with pan and zoom; keyboard and buttons reach every function. */
export const Canvas = (props: Props) => (
  <ReactFlowProvider>
    <Flow {...props} />
  </ReactFlowProvider>
);

function Flow(props: Props) {
  const t = useTranslations('orgChart');
  const phone = usePhone();
  const { forest, rows, focus } = props;
  const [chosen, setCurrent] = useResettableState(focus);
  const current = rows.some(({ key }) => key === chosen) ? chosen : rows[0]?.key;
  const placed = useMemo(() => layoutOf(forest), [forest]);
  const { box, start, isReady, onInit, moving } = useView(placed, focus, props.isFinding);
  const nodes = useNodes(placed, focus, current);
  const actions = useCardActions(props, moving, setCurrent);
  const onKeyDown = useCanvasKeys(forest, actions.onToggle, { current, setCurrent, placed, view: moving });
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles key events that bubble from the cards
    <div className={classes['canvas']} ref={box} onKeyDown={onKeyDown}>
      <CanvasActions value={actions}>
        {start && (
          <ReactFlow
            {...noKeys}
            {...still}
            defaultViewport={start}
            nodes={nodes}
            nodeTypes={nodeTypes}
            onInit={onInit}
            onlyRenderVisibleElements={nodes.length > virtualFrom}
            minZoom={zoomRange.least}
            maxZoom={zoomRange.most}
            proOptions={{ hideAttribution: true }}
            ariaLabelConfig={{ 'node.a11yDescription.default': t('chartHelp') }}
            aria-label={t('title')}
          >
            <Connections placed={placed} rows={rows} focus={focus} />
            {!phone && nodes.length <= maxOnMap && <Map />}
          </ReactFlow>
        )}
      </CanvasActions>
      <ZoomButtons view={moving} isReady={isReady} />
    </div>
  );
}

type CardHandlers = Pick<ChartProps, 'onOpen' | 'onToggle' | 'onRetry'>;

function useCardActions({ onOpen, onToggle, onRetry }: CardHandlers, moving: Moving, onFocus: (key: string) => void) {
  return useMemo(
    () => ({
      onOpen,
      onFocus,
      onToggle: (branch: Branch) => {
        moving.hold(branch.key);
        if (branch.waits === 'failed') onRetry(branch.key);
        else onToggle(branch.key);
      },
    }),
    [onOpen, onToggle, onRetry, onFocus, moving],
  );
}

type ConnectionsProps = Pick<ChartProps, 'rows' | 'focus'> & { placed: readonly Placed[] };

/**
 * The lines between the cards around the viewport: those of 5,000 people would slow down rendering. The path to the
 * focused node is highlighted.
 */
function Connections({ placed, rows, focus }: ConnectionsProps) {
  const pathKeys = useMemo(() => pathKeysTo(rows, focus), [rows, focus]);
  // Updated in steps of a screen, so that lines are not redrawn with every move. Stems are at most a card away.
  const place = useStore(({ transform, width }) => Math.floor(-transform[0] / width));
  const screen = useStore(({ transform, width }) => width / transform[2]);
  const lines = useMemo(
    () => linesOf(placed, place * screen - 2 * card.width, (place + 2) * screen + card.width),
    [placed, place, screen],
  );
  return (
    <ViewportPortal>
      <svg className={classes['lines']} width="1" height="1" aria-hidden>
        <path d={lines} />
        {pathKeys.size > 0 && <path d={linesTo(placed, pathKeys)} data-way />}
      </svg>
    </ViewportPortal>
  );
}

/** The keys of the focused node and its ancestors. */
function pathKeysTo(rows: readonly Branch[], focus: string | undefined): Set<string> {
  const pathKeys = new Set<string>();
  for (let one = rows.find(({ key }) => key === focus) ?? null; one; one = one.parent) pathKeys.add(one.key);
  return pathKeys;
}

function useNodes(placed: readonly Placed[], focus: string | undefined, current: string | undefined) {
  return useMemo(
    () =>
      placed.map(({ branch, x, y }): Node<CardData> => ({
        id: branch.key,
        type: 'card',
        position: { x, y },
        width: card.width,
        height: card.height,
        // Given instead of measured: otherwise every card would be rendered once, visible or not.
        measured: card,
        handles: [],
        // React Flow disables pointer events on nodes that can be neither dragged nor selected.
        style: { pointerEvents: 'all' },
        data: { branch, isFound: branch.key === focus, isCurrent: branch.key === current },
        // Removes React Flow's default descriptions, which are wrong for these cards.
        domAttributes: { 'aria-roledescription': undefined, 'aria-describedby': undefined } as object,
      })),
    [placed, focus, current],
  );
}

type Moving = View['moving'];
type Keys = { current: string | undefined; setCurrent: (key: string) => void; placed: readonly Placed[]; view: Moving };

function useCanvasKeys(
  forest: readonly Branch[],
  onToggle: (branch: Branch) => void,
  { current, setCurrent, placed, view }: Keys,
) {
  const go = (branch: Branch | undefined) => {
    if (!branch) return;
    setCurrent(branch.key);
    view.bringIn(branch.key);
    // A distant card is rendered only after the move.
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(cardId(branch.key))?.focus()));
  };
  const zoomKeys: Record<string, () => void> = { '+': view.zoomIn, '-': view.zoomOut, '0': view.fit };
  return (event: KeyboardEvent) => {
    if (hasModifier(event)) return;
    const zoom = zoomKeys[event.key];
    if (zoom) return zoom();
    const branch = placed.find((one) => one.branch.key === current)?.branch;
    const onCard = (event.target as HTMLElement).closest('[data-card]') !== null;
    const step = branch && onCard ? stepInChart(event.key, branch, forest) : undefined;
    if (!step || !branch) return undefined;
    event.preventDefault();
    if (step.toggle) onToggle(branch);
    else go(step.to);
    return undefined;
  };
}

const Map = () => (
  <MiniMap
    pannable
    position="bottom-right"
    ariaLabel={null}
    nodeColor="var(--line-strong)"
    maskColor="var(--pressed)"
    bgColor="var(--sheet)"
    nodeBorderRadius={20}
    style={{ width: 160, height: 100, overflow: 'hidden', border: '1px solid var(--line)', borderRadius: 10 }}
  />
);

function ZoomButtons({ view, isReady }: { view: Moving; isReady: boolean }) {
  const t = useTranslations('orgChart');
  const buttons = [
    ['zoomIn', IconPlus, view.zoomIn],
    ['zoomOut', IconMinus, view.zoomOut],
    ['fit', IconFocusCentered, view.fit],
  ] as const;
  return (
    <div className={classes['zoom']}>
      {buttons.map(([name, Icon, act]) => (
        <ActionIcon
          key={name}
          variant="default"
          size={36}
          aria-label={t(name)}
          title={t(name)}
          disabled={!isReady}
          onClick={act}
        >
          <Icon size={17} aria-hidden />
        </ActionIcon>
      ))}
    </div>
  );
}
