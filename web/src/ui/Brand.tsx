import { Flex } from '@mantine/core';

/** The logo, with the name beside it unless `plain`. */
export const Brand = ({ size = 24, plain = false }: { size?: number; plain?: boolean }) => (
  <Flex component="span" display="inline-flex" align="center" gap={9} fw={620} lts="-0.01em">
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="9" fill="#0c6b63" />
      <path d="M8.5 10h15M16 10v13.5" fill="none" stroke="#fff" strokeWidth="3.4" strokeLinecap="round" />
    </svg>
    {!plain && <span>Tenure</span>}
  </Flex>
);
