/** An unusable address, without the user and password that it may contain. */
export const withoutPassword = (address: string): string => address.replace(/\/\/.*@/s, '//');
