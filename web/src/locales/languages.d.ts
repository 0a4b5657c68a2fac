/** What the plugin of this name finds in `contract/locales`; `locales.ts` has its type. */
declare module 'virtual:languages' {
  export const locales: unknown;
}
