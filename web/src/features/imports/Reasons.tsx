import { Box } from '@mantine/core';
import { BulletList } from '../../ui/BulletList.tsx';

/** Why rows stayed as they are; of many it scrolls. */
export const Reasons = ({ texts }: { texts: readonly string[] }) => (
  <Box mah="40vh" mt={10} pos="relative" style={{ overflow: 'auto' }}>
    <BulletList gap={4}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </BulletList>
  </Box>
);
