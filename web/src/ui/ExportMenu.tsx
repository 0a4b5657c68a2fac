import { Button, Menu } from '@mantine/core';
import type { Endpoint } from '@tenure/contract';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { address, type Input } from '../api/call.ts';

const formats = ['csv', 'xlsx'] as const;

type Props = {
  /** The endpoint that returns the list as a file. */
  endpoint: Endpoint;
  label: string;
  /** Path parameters, if the path names a record. */
  params?: Record<string, number>;
  /** The query of the visible list, without its page. */
  query: Record<string, unknown>;
  /** A file that people read: its headings and states are words. A file that can be imported keeps its keys. */
  readable?: boolean;
  size?: 'sm' | 'compact-sm';
};

/** Exports a list or a selection as a file. */
export function ExportMenu({ endpoint, label, params = {}, query, readable = false, size = 'sm' }: Props) {
  const t = useTranslations('exportMenu');
  const asked = { ...query, ...(readable && { headings: 'words' }) };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size={size} leftSection={<IconDownload size={16} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={address(endpoint, { params, query: { ...asked, format } } as unknown as Input<Endpoint>)}
            download
          >
            {t(format)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
