/** The mailto link for an address. Encoding keeps a `?` in it from adding headers, such as more recipients. */
export const mailTo = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
