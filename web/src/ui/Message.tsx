import { Flex, Group, Stack, Title } from '@mantine/core';
import type { Icon as IconOf } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { usePageTitle } from './use-page-title.ts';

type Props = { title: string; children?: ReactNode; actions?: ReactNode; page?: boolean; icon?: IconOf };

/** A message in place of content: empty, refused, failed. As a `page` its title is the h1. */
export const Message = ({ title, children, actions, page = false, icon: Icon }: Props) => (
  <Stack
    align="center"
    gap={6}
    maw="34rem"
    mx="auto"
    px="gutter"
    py="calc(var(--gutter) * 3 - 8px)"
    ta="center"
    lh={1.5}
    {...(page && { pt: 'clamp(48px, 16vh, 150px)' })}
  >
    {page && <WindowTitle title={title} />}
    {Icon && (
      <Flex align="center" justify="center" w={56} h={56} mb={10} bdrs={18} bg="var(--accent-soft)" c="var(--accent)">
        <Icon size={26} stroke={1.5} aria-hidden />
      </Flex>
    )}
    <Title order={page ? 1 : 2}>{title}</Title>
    {children !== undefined && <p className="muted">{children}</p>}
    {actions !== undefined && (
      <Group justify="center" gap={8} mt={14}>
        {actions}
      </Group>
    )}
  </Stack>
);

function WindowTitle({ title }: { title: string }) {
  usePageTitle(title);
  return null;
}
