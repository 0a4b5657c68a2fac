import type { CSSProperties } from 'react';
import { apiBase } from '../api/base.ts';
import classes from './PersonAvatar.module.css';

const tints = 8;

/** First letters of the first and the last word of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => Array.from(word ?? '')[0] ?? '').join('');
}

type Props = {
  id: number;
  name: string;
  size?: number;
  /** The address of the person's picture below the API, if there is one. */
  url?: string | null;
};

/** A picture, or initials on one of eight tints, always the same for a person. Decoration: the name stands beside it. */
export function PersonAvatar({ id, name, size = 32, url = null }: Props) {
  const style = { '--size': `${size}px`, fontSize: Math.round(size * 0.38) } as CSSProperties;
  if (url !== null)
    return (
      <img
        className={classes['picture']}
        src={`${apiBase}${url}`}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
      />
    );
  return (
    <span className={classes['avatar']} data-tint={id % tints} style={style} aria-hidden>
      {initials(name)}
    </span>
  );
}
