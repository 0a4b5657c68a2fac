import type { AutosaveState } from '../ui/autosave.ts';
import { LeaveGuard } from '../ui/LeaveGuard.tsx';

type Props = {
  state: Pick<AutosaveState<string>, 'phase'>;
  /** The address of the record: what is there is not left. */
  pathname: string;
  rescue: () => Promise<boolean>;
};

/** Asks before a record is left whose draft is not kept yet. */
export const SaveGuard = ({ state: { phase }, pathname, rescue }: Props) => (
  <LeaveGuard
    when={phase === 'unsaved' || phase === 'saving' || phase === 'failed'}
    within={(to) => to.pathname === pathname}
    rescue={rescue}
  />
);
