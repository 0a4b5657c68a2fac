type Page<Row> = { data: readonly Row[]; meta: { last_page: number } };

/** Reads a whole list, one page after the other, since it may be long. */
export async function allPages<Row>(read: (page: number) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one page at a time
    const { data, meta } = await read(page);
    rows.push(...data);
    pages = meta.last_page;
  }
  return rows;
}

/** Reads a whole list of a few pages: those after the first one at once. */
export async function fewPages<Row>(read: (page: number) => Promise<Page<Row>>): Promise<Row[]> {
  const first = await read(1);
  const others = Array.from({ length: first.meta.last_page - 1 }, (_, index) => read(index + 2));
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
}
