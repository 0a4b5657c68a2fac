/** Saves what it can of what was entered, and asks about the rest; true when nothing of it is missed. */
type Guard = () => Promise<boolean>;

const guards = new Set<Guard>();

/** Has a form heard before its page is left without a move of the router; returns what ends it. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** May the page be left, with everything that was entered? */
export async function mayLeave(): Promise<boolean> {
  // oxlint-disable-next-line no-await-in-loop -- one question at a time
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}
