/** An address that cannot be used, without the user and password it may bring. */
export const withoutPassword = (address: string): string => address.replace(/\/\/.*@/s, '//');
