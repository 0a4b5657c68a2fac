import { Flex } from '@mantine/core';
import { apiBase } from '../api/base.ts';
import classes from './Brand.module.css';
import type { Logo } from '@tenure/contract';
import { useBrand } from './brand.ts';

/** A logo of this shape probably contains the name. */
const isWordmark = ({ width, height }: Logo) => width > height * 2;

/**
 * The logo, with the name beside it unless `plain` or the logo is wide. A logo keeps its place while it loads.
 */
export function Brand({ size = 24, plain = false }: { size?: number; plain?: boolean }) {
  const { name, logo } = useBrand();
  const title = name ?? 'Tenure';
  return (
    <Flex component="span" display="inline-flex" align="center" gap={9} miw={0} fw={620} lts="-0.01em">
      {logo ? (
        <img
          className={classes['logo']}
          src={`${apiBase}${logo.url}`}
          width={Math.round(Math.min((logo.width / logo.height) * size, size * 5))}
          height={size}
          alt=""
        />
      ) : (
        <Mark size={size} letter={name?.match(/./u)?.[0]} />
      )}
      {!plain && <span className={logo && isWordmark(logo) ? 'visually-hidden' : classes['name']}>{title}</span>}
    </Flex>
  );
}

/** The symbol of Tenure, or the first letter of another name. */
const Mark = ({ size, letter }: { size: number; letter: string | undefined }) => (
  <svg className={classes['mark']} width={size} height={size} viewBox="0 0 32 32" aria-hidden>
    <rect width="32" height="32" rx="9" fill="var(--filled)" />
    {letter === undefined ? (
      <path d="M8.5 10h15M16 10v13.5" fill="none" stroke="#fff" strokeWidth="3.4" strokeLinecap="round" />
    ) : (
      <text x="16" y="22.5" textAnchor="middle" fontSize="18" fontWeight="640" fill="#fff">
        {letter.toUpperCase()}
      </text>
    )}
  </svg>
);
