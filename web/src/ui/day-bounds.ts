type Period = { at_from?: string; at_to?: string };

/**
 * A period of days in the user's time zone (`YYYY-MM-DD`, both inclusive) as instants: from the first moment of the
 * first day to the last millisecond of the last one. An absent end stays open.
 */
export function asInstants(from: string | undefined, to: string | undefined): Period {
  const begin = (day: string) => new Date(`${day}T00:00`);
  const end = (day: string) => {
    const next = begin(day);
    next.setDate(next.getDate() + 1);
    return new Date(next.getTime() - 1);
  };
  return { ...(from && { at_from: begin(from).toISOString() }), ...(to && { at_to: end(to).toISOString() }) };
}
