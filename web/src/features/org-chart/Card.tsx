import { Box, Stack } from '@mantine/core';
import { IconMinus, IconRefresh } from '@tabler/icons-react';
import type { Node, NodeProps } from '@xyflow/react';
import { createContext, memo, useContext, type CSSProperties, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import classes from './Canvas.module.css';
import { useCounts } from './labels.ts';
import type { Branch, ChartItem } from './tree.ts';
import { NodeSymbol } from './NodeSymbol.tsx';

export type CardData = { branch: Branch; isFound: boolean; isCurrent: boolean };
type Actions = {
  onOpen: (item: ChartItem) => void;
  onToggle: (branch: Branch) => void;
  onFocus: (key: string) => void;
};

const noActions = { onOpen: () => {}, onToggle: () => {}, onFocus: () => {} };
const Context = createContext<Actions>(noActions);
/** The callbacks of the cards; stable, so that a card renders only for its own changes. */
export const CanvasActions = Context.Provider;

export const cardId = (key: string): string => `card-${key}`;
const series = 6;

/** A person, department or company on the canvas, with the expand button. */
export const Card = memo(function Card({ data: { branch, isFound, isCurrent } }: NodeProps<Node<CardData>>) {
  const { onOpen, onToggle, onFocus } = useContext(Context);
  const tabIndex = isCurrent ? 0 : -1;
  const act = () => (branch.kind === 'entity' ? onToggle(branch) : onOpen(branch));
  return (
    <div className={classes['card']} data-card data-kind={branch.kind} data-found={isFound || undefined}>
      <button
        id={cardId(branch.key)}
        type="button"
        className={`nodrag ${classes['face']}`}
        tabIndex={tabIndex}
        onFocus={() => onFocus(branch.key)}
        onClick={act}
      >
        <NodeSymbol item={branch} size={38} {...(branch.kind === 'entity' && { bg: 'var(--sheet)' })} />
        <Stack gap={0} miw={0}>
          <Box component="bdi" className="truncate" fw={570}>
            {branch.name}
          </Box>
          <Lines branch={branch} />
        </Stack>
      </button>
      {branch.canOpen && <Toggle branch={branch} tabIndex={tabIndex} onToggle={() => onToggle(branch)} />}
    </div>
  );
});

const Line = ({ children }: { children: ReactNode }) => (
  <Box component="span" className="muted truncate" fz="sm">
    {children}
  </Box>
);

function Lines({ branch }: { branch: Branch }) {
  const counts = useCounts();
  if (branch.kind !== 'employee') return <Line>{counts(branch)}</Line>;
  const { line, group } = branch;
  return (
    <>
      {line !== null && <Line>{line}</Line>}
      {group && (
        <span
          className={`muted truncate ${classes['group']}`}
          style={{ '--tone': `var(--series-${(group.id % series) + 1})` } as CSSProperties}
        >
          {group.name}
        </span>
      )}
    </>
  );
}

type ToggleProps = { branch: Branch; tabIndex: number; onToggle: () => void };

function Toggle({ branch, tabIndex, onToggle }: ToggleProps) {
  const t = useTranslations('orgChart');
  const counts = useCounts();
  const { isOpen, waits, name } = branch;
  return (
    <button
      type="button"
      className={`nodrag nopan ${classes['toggle']}`}
      tabIndex={tabIndex}
      aria-expanded={isOpen}
      aria-busy={waits === 'loading' || undefined}
      onClick={onToggle}
    >
      <span className="visually-hidden">{t(isOpen ? 'hideBelow' : 'showBelow', { name, counts: counts(branch) })}</span>
      <span aria-hidden className={classes['count']} data-waits={waits ?? undefined}>
        <Mark branch={branch} />
      </span>
    </button>
  );
}

function Mark({ branch: { isOpen, waits, below, people } }: { branch: Branch }) {
  if (waits === 'failed') return <IconRefresh size={13} stroke={2.2} />;
  if (isOpen) return <IconMinus size={13} stroke={2.4} />;
  return below + (people ?? 0);
}
