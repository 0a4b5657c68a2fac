/** Saves the input or asks about it; true if the page may be left. */
type Guard = () => Promise<boolean>;

const guards = new Set<Guard>();

/** Registers a form's guard for leaving without the router; returns the function that removes it. */
export function addLeaveGuard(guard: Guard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** May the page be left without losing input? */
export async function mayLeave(): Promise<boolean> {
  // oxlint-disable-next-line no-await-in-loop -- one question at a time
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}
