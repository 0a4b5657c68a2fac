// words with a place before the predicate, or in quotation marks: "The item 2 score field", „Note (Kriterium 2)“
const nestedField =
  /(?<=^(?:The|The selected|This) )\p{L}[\p{L} ]* \d+ \p{L}[^.]*?(?= (?:field|has|is|isn’t|can’t|must)\b)|(?<=[„“«])[^„“”«»]+ \([^„“”«»()]* \d+\)(?=[“”»])/u;

/** A message of the service with a label for the field of a list, which the message names by its place. */
export const withLabel = (message: string, label: string): string => message.replace(nestedField, () => label);
