/** The year of a day in a file. Two digits mean 1950 to 2049, which suits dates of birth and employment. */
export const yearOf = (digits: string): string =>
  digits.length === 2 ? `${Number(digits) < 50 ? '20' : '19'}${digits}` : digits;
