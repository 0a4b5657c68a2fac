type Page<Row> = { data: readonly Row[]; meta: { last_page: number } };

/** Reads a whole list, one page after the other. */
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
