/** The parts of a connection. */
export const connectionParts = ['settings', 'waiting', 'requests', 'roles', 'owners', 'guide'] as const;
export type ConnectionPart = (typeof connectionParts)[number];

/** The identity providers with a guide. */
export const guides = ['entra', 'okta'] as const;
export type GuideName = (typeof guides)[number];
