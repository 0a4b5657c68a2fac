// a phrase with an index before the predicate, or in quotation marks: "The item 2 score field", „Note (Kriterium 2)“
const nestedField =
  /(?<=^(?:The|The selected|This) )\p{L}[\p{L} ]* \d+ \p{L}[^.]*?(?= (?:field|has|is|isn’t|can’t|must)\b)|(?<=[„“«])[^„“”«»]+ \([^„“”«»()]* \d+\)(?=[“”»])/u;

/** Replaces the name of a list field in a service message, which names it by its index, with a label. */
export const withLabel = (message: string, label: string): string => message.replace(nestedField, () => label);
