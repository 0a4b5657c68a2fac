export type Texts = Readonly<Record<string, string>>;
export type Difference = { name: string; mine: string; theirs: string };

/**
 * Compares two changed versions of a record with their common `base`. Differences are fields that both changed to
 * different values; fields that only one changed are in `merged`.
 */
export function compareVersions(
  base: Texts,
  mine: Texts,
  theirs: Texts,
): { merged: Record<string, string>; differences: Difference[]; taken: string[] } {
  const merged: Record<string, string> = {};
  const differences: Difference[] = [];
  const taken: string[] = [];
  for (const name of Object.keys({ ...base, ...mine, ...theirs })) {
    const [before, own, other] = [base[name] ?? '', mine[name] ?? '', theirs[name] ?? ''];
    merged[name] = own === before ? other : own;
    if (other === before || own === other) continue;
    if (own === before) taken.push(name);
    else differences.push({ name, mine: own, theirs: other });
  }
  return { merged, differences, taken };
}
