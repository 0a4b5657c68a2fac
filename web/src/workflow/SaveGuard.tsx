import type { AutosaveState } from '../ui/autosave.ts';
import { LeaveGuard } from '../ui/LeaveGuard.tsx';

type Props = {
  state: Pick<AutosaveState<string>, 'phase'>;
  /** The path of the record; navigation within it is not blocked. */
  pathname: string;
  trySave: () => Promise<boolean>;
};

/** Asks before a record with an unsaved draft is left. */
export const SaveGuard = ({ state: { phase }, pathname, trySave }: Props) => (
  <LeaveGuard
    when={phase === 'unsaved' || phase === 'saving' || phase === 'failed'}
    within={(to) => to.pathname === pathname}
    trySave={trySave}
  />
);
