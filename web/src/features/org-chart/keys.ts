import type { Branch } from './tree.ts';

export type Step = { to?: Branch | undefined; toggle?: boolean; open?: true };

/** The row that a key moves to, as in the ARIA tree pattern. */
export function stepFor(key: string, rows: readonly Branch[], at: number, mirrored = false): Step | undefined {
  const branch = rows[at];
  if (!branch) return undefined;
  const [forward, back] = mirrored ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  switch (key) {
    case 'ArrowDown':
      return { to: rows[at + 1] };
    case 'ArrowUp':
      return { to: rows[at - 1] };
    case 'Home':
      return { to: rows[0] };
    case 'End':
      return { to: rows.at(-1) };
    case forward:
      return branch.isOpen ? { to: branch.children[0] } : { toggle: branch.canOpen };
    case back:
      return branch.isOpen ? { toggle: true } : { to: branch.parent ?? undefined };
    case 'Enter':
    case ' ':
      return { open: true };
    default:
      return undefined;
  }
}

/** The next row, wrapping around, whose name starts with the typed text. */
export function typedRow(typed: string, rows: readonly Branch[], at: number): Branch | undefined {
  const begins = (name: string) =>
    name.slice(0, typed.length).localeCompare(typed, undefined, { sensitivity: 'base' }) === 0;
  // A single letter moves to the next match; more letters may keep the present one.
  const from = typed.length === 1 ? at + 1 : at;
  return [...rows.slice(from), ...rows.slice(0, from)].find(({ name }) => begins(name));
}

/** The card that a key moves to: up to the parent, down to the first child, sideways to siblings. */
export function stepInChart(key: string, branch: Branch, forest: readonly Branch[]): Step | undefined {
  const siblings = branch.parent?.children ?? forest;
  switch (key) {
    case 'ArrowUp':
      return { to: branch.parent ?? undefined };
    case 'ArrowDown':
      return branch.isOpen ? { to: branch.children[0] } : { toggle: branch.canOpen };
    case 'ArrowLeft':
      return { to: siblings[branch.position - 2] };
    case 'ArrowRight':
      return { to: siblings[branch.position] };
    case 'Home':
      return { to: forest[0] };
    case 'End':
      return { to: siblings.at(-1) };
    case ' ':
      return { toggle: branch.canOpen };
    default:
      return undefined;
  }
}
