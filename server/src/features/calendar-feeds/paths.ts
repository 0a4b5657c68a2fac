/** The route prefix of calendar addresses: outside `/api`, because calendar applications are not API clients. */
export const feedRoute = '/calendar/:file';

/** The path of one calendar. */
export const feedPath = (token: string): string => `/calendar/${token}.ics`;
