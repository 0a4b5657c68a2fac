// a path as the service sent it, or its words in quotation marks: „Kriterien 1 Note“
const nestedField = /\b(criteria|items)\.\d+\.\w+|(?<=[„“«])\p{L}[^„“”«»]* \d+ \p{L}[^„“”«»]*(?=[“”»])/u;

/** A message of the service with a label for the field of a list, which the message names by its place. */
export const withLabel = (message: string, label: string): string => message.replace(nestedField, () => label);
