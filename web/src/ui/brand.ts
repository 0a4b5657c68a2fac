import type { Brand } from '@tenure/contract';
import { useSyncExternalStore } from 'react';

type Kept = { brand: Brand; css: string | null };

const key = 'tenure.brand';
const ofTenure: Brand = { name: null, accent: null, logo: null };

/** The brand of the installation, which the service wrote into the page. */
function ofPage(): Brand {
  const content = document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content;
  return content ? (JSON.parse(content) as Brand) : ofTenure;
}

/** The brand of the company of the last user of this device; boot.js applies its colours before the first paint. */
function kept(): Brand | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null)?.brand;
  } catch {
    return undefined;
  }
}

let current = kept() ?? ofPage();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The name, the colour and the logo that the application shows now. */
export const useBrand = (): Brand => useSyncExternalStore(subscribe, () => current);

function show(brand: Brand, css: string | null): void {
  try {
    if (JSON.stringify(brand) === JSON.stringify(ofPage())) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ brand, css } satisfies Kept));
  } catch {
    // a browser without storage requests the brand each time
  }
  const sheet = css === null ? [] : [new CSSStyleSheet()];
  for (const one of sheet) one.replaceSync(css ?? '');
  document.adoptedStyleSheets = sheet;
  if (JSON.stringify(brand) === JSON.stringify(current)) return;
  current = brand;
  for (const listener of listeners) listener();
}

const accentOf = ({ accent }: Brand) => (accent ?? '#0c6b63').slice(1);

/** Shows the brand of the user's company. Its colours are a separate style sheet. */
export async function showBrand(brand: Brand): Promise<void> {
  const accent = accentOf(brand);
  const css = accent === accentOf(ofPage()) ? null : await (await fetch(`/brand.css?accent=${accent}`)).text();
  show(brand, css);
}

/** Shows the brand of the installation again, as on the sign-in page. */
export function clearBrand(): void {
  if (document.adoptedStyleSheets?.length || kept()) show(ofPage(), null);
}
