import type { Brand } from '@tenure/contract';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (words: string) => words.replaceAll(/[&<>"]/g, (char) => escapes[char] ?? char);

/** How the installation looks, and whether users may request a password link. */
type Page = { brand: Brand; version: string; resets: boolean };

/** What the page links to: the manifest, the icons, and the colours if they differ from Tenure's. */
function tagsOf({ brand: { name, accent, logo }, version, resets }: Page): string {
  const isOwn = name !== null || accent !== null || logo !== null;
  return [
    '<link rel="manifest" href="/manifest.webmanifest">',
    `<link rel="apple-touch-icon" href="/brand/icon-180.png?v=${version}">`,
    ...(accent ? [`<link rel="stylesheet" href="/brand.css?accent=${accent.slice(1)}">`] : []),
    ...(resets ? ['<meta name="password-reset" content="mail">'] : []),
    ...(isOwn ? [`<meta name="brand" content="${escaped(JSON.stringify({ name, accent, logo }))}">`] : []),
  ].join('\n    ');
}

/** The application's page with the installation's brand, so that the first paint already has it. */
export function brandedPage(index: string, page: Page): string {
  const {
    brand: { name },
    version,
  } = page;
  const titled =
    name === null ? index : index.replace('<title>Tenure</title>', () => `<title>${escaped(name)}</title>`);
  const isPlain = version === 'tenure';
  const marked = isPlain
    ? titled
    : titled.replace(
        /<link rel="icon" [^>]*>/,
        () => `<link rel="icon" href="/brand/icon-64.png?v=${version}" type="image/png">`,
      );
  return marked.replace('</head>', () => `  ${tagsOf(page)}\n  </head>`);
}

/** The web app manifest, which describes the app that a phone or computer installs. */
export function manifestOf({ name, accent }: Brand, version: string) {
  const icon = (file: string, sizes: string, purpose: string) => ({
    src: `/brand/${file}?v=${version}`,
    sizes,
    type: 'image/png',
    purpose,
  });
  const title = name ?? 'Tenure';
  return {
    id: '/',
    name: title,
    short_name: title.length <= 12 ? title : title.split(/\s+/, 1)[0],
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#f3f1ec',
    theme_color: accent ?? '#0c6b63',
    icons: [
      icon('icon-192.png', '192x192', 'any'),
      icon('icon-512.png', '512x512', 'any'),
      icon('maskable-512.png', '512x512', 'maskable'),
    ],
  };
}
