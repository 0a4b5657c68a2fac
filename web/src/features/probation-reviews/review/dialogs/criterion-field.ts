const fields = ['name', 'weight', 'rating', 'comment'] as const;

/** The criterion and field of a message path such as `criteria.0.rating`. */
export function fieldOfCriterion(path: string): { index: number; field: (typeof fields)[number] } | undefined {
  const [, index, name] = /^criteria\.(\d+)\.(\w+)$/.exec(path) ?? [];
  const field = fields.find((one) => one === name);
  return field && { index: Number(index), field };
}
