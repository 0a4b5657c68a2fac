/** The year of a day in a file. Two digits are one of 1950 to 2049, as dates of birth and of jobs of people at work. */
export const yearOf = (digits: string): string =>
  digits.length === 2 ? `${Number(digits) < 50 ? '20' : '19'}${digits}` : digits;
