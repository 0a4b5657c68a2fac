import { Flex } from '@mantine/core';
import { apiBase } from '../api/base.ts';
import classes from './PersonAvatar.module.css';

/** Background and text colour; the dark scheme swaps them (PersonAvatar.module.css). */
export const tints = [
  ['#d6f1ec', '#0a554f'],
  ['#fde6d3', '#7c3a06'],
  ['#e5e3fb', '#3f35a5'],
  ['#fbe0ea', '#8c1d4f'],
  ['#dcecfb', '#114a80'],
  ['#ecefcf', '#4b5310'],
  ['#efe1f7', '#642a86'],
  ['#e9e6e0', '#3b3834'],
] as const;

/** The first letters of the first and the last word of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => Array.from(word ?? '')[0] ?? '').join('');
}

type Props = {
  id: number;
  name: string;
  size?: number;
  /** The API path of the person's picture, if there is one. */
  url?: string | null;
};

/** A picture, or initials on one of eight tints, which is stable per person. Decorative: the name is beside it. */
export function PersonAvatar({ id, name, size = 32, url = null }: Props) {
  if (url !== null)
    return (
      <img
        style={{ flex: 'none', borderRadius: '50%', objectFit: 'cover' }}
        src={`${apiBase}${url}`}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
      />
    );
  const [tint, ink] = tints[id % tints.length] ?? tints[0];
  return (
    <Flex
      component="span"
      display="inline-flex"
      align="center"
      justify="center"
      className={classes['avatar']}
      w={size}
      h={size}
      fz={Math.round(size * 0.38)}
      style={{ '--tint': tint, '--tint-ink': ink }}
      aria-hidden
    >
      {initials(name)}
    </Flex>
  );
}
