/** The link that writes to an address. What stands behind a `?` in it says what else the mail has, such as more readers. */
export const mailTo = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
