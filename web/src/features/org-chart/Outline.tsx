import { Box, Stack, useDirection } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Chevron } from '../../ui/Chevron.tsx';
import { hasModifier } from '../../ui/has-modifier.ts';
import classes from './Outline.module.css';
import { stepFor, typedRow, type Step } from './keys.ts';
import { useCounts } from './labels.ts';
import type { Branch, ChartItem } from './tree.ts';
import { useResettableState } from './use-resettable-state.ts';
import { NodeSymbol } from './NodeSymbol.tsx';

export type ChartProps = {
  forest: readonly Branch[];
  rows: readonly Branch[];
  /** The key of the focused node. */
  focus: string | undefined;
  onToggle: (key: string, open?: boolean) => void;
  onOpen: (item: ChartItem) => void;
  onRetry: (key: string) => void;
};

const rowHeight = 52;
const typingPause = 700;
const elementId = (key: string) => `outline-${key}`;

/** The chart as an indented tree; only visible rows are rendered. */
export function Outline(props: ChartProps) {
  const t = useTranslations('orgChart');
  const { rows, focus } = props;
  const [current, setCurrent] = useResettableState(focus);
  const currentIndex = rows.findIndex(({ key }) => key === current);
  const at = Math.max(0, currentIndex);
  const { box, virtual } = useVirtualRows(rows);
  useShownFamilies(focus, rows, (index) => virtual.scrollToIndex(index, { align: 'center' }));
  const go = (branch: Branch | undefined) => {
    if (!branch) return;
    setCurrent(branch.key);
    virtual.scrollToIndex(rows.indexOf(branch), { align: 'auto' });
    // The row may not be rendered before the scroll.
    requestAnimationFrame(() => document.getElementById(elementId(branch.key))?.focus());
  };
  const shared = { ...props, current: rows[at], onKeyDown: useOutlineKeys(props, at, go), onFocus: setCurrent };
  const about = { 'aria-label': t('title'), 'aria-describedby': 'outline-help' };
  return (
    <div ref={box} className={classes['outline']}>
      <p id="outline-help" className="visually-hidden">
        {t('outlineHelp')}
      </p>
      <Box role="tree" {...about} pos="relative" h={virtual.getTotalSize()}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const branch = rows[index];
          return branch && <Row {...shared} key={key} branch={branch} start={start} />;
        })}
      </Box>
    </div>
  );
}

function useVirtualRows(rows: readonly Branch[]) {
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- its functions are used here only, never handed to memoised parts
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  return { box, virtual };
}

/** Scrolls to the focused row once it exists. */
function useShownFamilies(focus: string | undefined, rows: readonly Branch[], scrollTo: (index: number) => void): void {
  const show = useEffectEvent((key: string) => {
    const index = rows.findIndex((row) => row.key === key);
    if (index >= 0) scrollTo(index);
  });
  const isThere = rows.some(({ key }) => key === focus);
  useEffect(() => {
    if (focus !== undefined && isThere) show(focus);
  }, [focus, isThere]);
}

function useOutlineKeys(props: ChartProps, at: number, go: (branch: Branch | undefined) => void) {
  const { rows, onToggle, onOpen, onRetry } = props;
  const { dir } = useDirection();
  const typing = useRef({ text: '', until: 0 });
  const type = (letter: string) => {
    const now = Date.now();
    const text = (now < typing.current.until ? typing.current.text : '') + letter;
    typing.current = { text, until: now + typingPause };
    go(typedRow(text, rows, at));
  };
  const take = (step: Step, branch: Branch) => {
    if (step.toggle) onToggle(branch.key);
    else if (step.open) activate(branch, { onToggle, onOpen, onRetry });
    else go(step.to);
  };
  const openSiblings = ({ parent }: Branch) => {
    for (const sibling of parent?.children ?? props.forest) if (sibling.canOpen) onToggle(sibling.key, true);
  };
  return (event: KeyboardEvent) => {
    const branch = rows[at];
    if (!branch || hasModifier(event)) return;
    // a space may be part of a typed name
    const isTyping = event.key === ' ' && Date.now() < typing.current.until;
    const step = isTyping ? undefined : stepFor(event.key, rows, at, dir === 'rtl');
    if (step) {
      event.preventDefault();
      take(step, branch);
    } else if (event.key === '*') openSiblings(branch);
    else if (event.key.length === 1) type(event.key);
  };
}

type Actions = Pick<ChartProps, 'onToggle' | 'onOpen' | 'onRetry'>;

function activate(branch: Branch, { onToggle, onOpen, onRetry }: Actions): void {
  if (branch.waits === 'failed') onRetry(branch.key);
  else if (branch.kind === 'entity') onToggle(branch.key);
  else onOpen(branch);
}

type RowProps = Actions & {
  branch: Branch;
  start: number;
  current: Branch | undefined;
  focus: string | undefined;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: (key: string) => void;
};

function Row({ branch, start, current, focus, onKeyDown, onFocus, ...actions }: RowProps) {
  return (
    <div
      id={elementId(branch.key)}
      role="treeitem"
      aria-level={branch.depth + 1}
      aria-posinset={branch.position}
      aria-setsize={branch.siblings}
      aria-expanded={branch.canOpen ? branch.isOpen : undefined}
      aria-selected={branch.key === focus}
      aria-busy={branch.waits === 'loading' || undefined}
      tabIndex={branch === current ? 0 : -1}
      className={classes['row']}
      style={{
        transform: `translateY(${start}px)`,
        paddingInlineStart: `calc(var(--edge) + ${branch.depth} * var(--step))`,
      }}
      onKeyDown={onKeyDown}
      onFocus={() => onFocus(branch.key)}
      onClick={() => activate(branch, actions)}
    >
      <Chevron
        isOpen={branch.isOpen}
        canOpen={branch.canOpen}
        onClick={(event) => {
          event.stopPropagation();
          if (branch.canOpen) actions.onToggle(branch.key);
        }}
      />
      <NodeSymbol item={branch} size={32} />
      <Name branch={branch} />
      <Note branch={branch} />
    </div>
  );
}

/** The name, and what the person does below it. */
const Name = ({ branch }: { branch: Branch }) => (
  <Stack gap={0} flex={1} miw={0}>
    <Box component="bdi" className="truncate" fw={550}>
      {branch.name}
    </Box>
    {lineOf(branch) !== '' && (
      <Box component="span" className="muted truncate" fz="sm">
        {lineOf(branch)}
      </Box>
    )}
  </Stack>
);

/** The job title, and the department unless it is the person's parent node. */
function lineOf({ kind, line, group, parent }: Branch): string {
  if (kind !== 'employee') return '';
  return [line, parent?.kind === 'department' ? null : group?.name].filter(Boolean).join(' · ');
}

function Note({ branch }: { branch: Branch }) {
  const t = useTranslations('orgChart');
  const counts = useCounts();
  return (
    <span className={`muted numbers ${classes['note']}`}>
      {branch.waits ? t(branch.waits) : counts(branch)}
      {!branch.waits && branch.hasMore && ` · ${t('more')}`}
    </span>
  );
}
