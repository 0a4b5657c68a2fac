/** Where the addresses stand in the router: outside `/api`, because a calendar application is no client of it. */
export const feedRoute = '/calendar/:file';

/** The path of one address. */
export const feedPath = (token: string): string => `/calendar/${token}.ics`;
