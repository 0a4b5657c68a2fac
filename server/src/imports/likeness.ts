function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}

/**
 * Similarity of two words by shared letter pairs (Sørensen–Dice), 0 to 1. Returns 0 if one is more than three times as
 * long as the other: comparing a cell of 32,767 characters with each name would block the service.
 */
export function likeness(a: string, b: string): number {
  if (Math.max(a.length, b.length) > 3 * Math.min(a.length, b.length)) return 0;
  const [left, right] = [pairsOf(a), pairsOf(b)];
  return (2 * left.intersection(right).size) / Math.max(1, left.size + right.size);
}

const likeEnough = 0.5;

/** The name most similar to a text, or undefined. `keys` are folded like the text. */
export function closest(text: string, names: readonly { key: string; name: string }[]): string | undefined {
  let best: { name: string; score: number } | undefined;
  for (const { key, name } of names) {
    const isPart = text.length >= 3 && (key.startsWith(text) || text.startsWith(key));
    const score = Math.max(likeness(text, key), isPart ? likeEnough : 0);
    if (score >= likeEnough && score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name;
}
