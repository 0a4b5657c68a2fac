/** The beginning of a text: at most so many characters, none of them halved, as a lone half could not be stored. */
export const cut = (text: string, most: number): string =>
  text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join('');
