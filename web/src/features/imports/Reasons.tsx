import { Box } from '@mantine/core';
import { BulletList } from '../../ui/BulletList.tsx';

/** The reasons why rows are unchanged; a long list scrolls. */
export const Reasons = ({ texts }: { texts: readonly string[] }) => (
  <Box mah="40vh" mt={10} pos="relative" style={{ overflow: 'auto' }}>
    <BulletList gap={4}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </BulletList>
  </Box>
);
