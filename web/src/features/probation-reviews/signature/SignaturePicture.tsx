import type { CSSProperties } from 'react';

/** A signature is dark ink, so its background is white in both colour schemes. */
export const paper: CSSProperties = {
  display: 'block',
  maxWidth: '100%',
  border: '1px solid var(--line)',
  borderRadius: 9,
  background: '#fff',
};

export const SignaturePicture = ({ src, alt }: { src: string; alt: string }) => (
  <img src={src} alt={alt} height={96} style={{ ...paper, objectFit: 'contain' }} loading="lazy" decoding="async" />
);
