import { createTheme, type MantineColorsTuple } from '@mantine/core';

const lagoon: MantineColorsTuple = [
  '#eefaf8',
  '#d6f1ec',
  '#aee2d9',
  '#7fcfc3',
  '#4fb8aa',
  '#2b9f92',
  '#117c72',
  '#0c6b63',
  '#0a554f',
  '#08403c',
];
const sand: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ee',
  '#e9e6e0',
  '#dad6ce',
  '#bdb8ae',
  '#958f86',
  '#6e6962',
  '#55514b',
  '#3b3834',
  '#232120',
];
const night: MantineColorsTuple = [
  '#eceae7',
  '#cfccc7',
  '#aaa6a0',
  '#7d7973',
  '#454239',
  '#35322d',
  '#272521',
  '#1b1a18',
  '#131211',
  '#0d0c0b',
];

// The main element scrolls, not the page, so no scroll lock is needed; it would add a style element, which the content
// security policy forbids. Escape closes the layer in front, by `use-escape.ts`.
// A title bar belongs to its layer and is not the banner of the page: two layers would mean two banners.
const overlay = {
  defaultProps: { lockScroll: false, closeOnEscape: false, attributes: { header: { role: 'none' } } },
};

// A menu belongs to its opener's landmark, contains only items, and focuses the first one when opened.
const menu = {
  defaultProps: {
    withinPortal: false,
    floatingStrategy: 'fixed',
    hideDetached: false,
    withInitialFocusPlaceholder: false,
    menuItemTabIndex: 0,
  },
} as const;

/** The Mantine theme. Its CSS variables are generated into theme-variables.css. */
export const theme = createTheme({
  primaryColor: 'lagoon',
  // White text is readable on both: the dark shade was chosen for it (Mantine's contrast logic only considers light
  // mode).
  primaryShade: { light: 7, dark: 6 },
  colors: { lagoon, gray: sand, dark: night },
  black: '#1f1d1b',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.5' },
  defaultRadius: 'md',
  // beside a page's content; narrower on a phone (tokens.css)
  spacing: { gutter: 'var(--gutter)' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.25' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  components: { Modal: overlay, Drawer: overlay, Menu: menu },
});
