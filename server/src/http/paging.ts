import type { Config } from '../config.ts';

export type PageQuery = { page?: number | undefined; per_page?: number | null | undefined };

export const pageSize = ({ per_page }: PageQuery) => per_page ?? 15;
export const pageOffset = (query: PageQuery) => ((query.page ?? 1) - 1) * pageSize(query);

const rfc3986 = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The request's query in its order, without `page` and empty values, encoded again. */
function keptQuery(url: string): string[] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  return [...new URLSearchParams(url.slice(start + 1))]
    .filter(([name, value]) => name !== 'page' && !name.startsWith('page[') && value.trim() !== '')
    .map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`);
}

/** Envelope of a list: rows of one page, links that keep every filter, and the six numbers. */
export function paginate<Row>(
  { config, url }: { config: Config; url: string },
  query: PageQuery,
  { rows, total }: { rows: Row[]; total: number },
) {
  const page = query.page ?? 1;
  const size = pageSize(query);
  const last = Math.max(1, Math.ceil(total / size));
  const path = (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '');
  const kept = keptQuery(url);
  const link = (number: number) => `${config.APP_URL}${path}?${[...kept, `page=${number}`].join('&')}`;
  const from = rows.length === 0 ? 0 : (page - 1) * size + 1;
  return {
    data: rows,
    links: {
      first: link(1),
      last: link(last),
      prev: page > 1 ? link(page - 1) : null,
      next: page < last ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from,
      last_page: last,
      per_page: size,
      to: from === 0 ? 0 : from + rows.length - 1,
      total,
    },
  };
}
