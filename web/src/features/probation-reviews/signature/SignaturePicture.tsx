import type { CSSProperties } from 'react';

/** Ink stands on paper, whatever the colours of the page are. */
export const paper: CSSProperties = {
  display: 'block',
  maxWidth: '100%',
  border: '1px solid var(--line)',
  borderRadius: 9,
  background: '#fff',
};

/** A signature as a picture. */
export const SignaturePicture = ({ src, alt }: { src: string; alt: string }) => (
  <img src={src} alt={alt} height={96} style={{ ...paper, objectFit: 'contain' }} loading="lazy" decoding="async" />
);
