import { Stack, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Brand } from '../../ui/Brand.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';

type Props = {
  title: string;
  lead?: string | false;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
};

/** The form of a page without the shell. The service validates the fields, so browser validation is off. */
export function AccountForm({ title, lead, onSubmit, children }: Props) {
  usePageTitle(title);
  return (
    <Stack gap={18} w="100%" maw={372} renderRoot={(props) => <form {...props} noValidate onSubmit={onSubmit} />}>
      <div>
        <Brand size={36} plain />
        <Title order={1} mt={16} mb={4} fz={26}>
          {title}
        </Title>
        {lead && <p className="muted">{lead}</p>}
      </div>
      {children}
    </Stack>
  );
}
