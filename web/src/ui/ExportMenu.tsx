import { Button, Menu } from '@mantine/core';
import type { Endpoint } from '@tenure/contract';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { address, type Input } from '../api/call.ts';

export const formats = ['csv', 'xlsx'] as const;

type Props = {
  /** The endpoint that returns the list as a file. */
  endpoint: Endpoint;
  label: string;
  /** Path parameters, if the path names a record. */
  params?: Record<string, number>;
  /** The query of the visible list, without its page. */
  query: Record<string, unknown>;
  /** A file for people to read, whose headings and states are words. A file for import keeps its keys. */
  readable?: boolean;
  size?: 'sm' | 'compact-sm';
  /** Called when the user requests private details in the file; without it, they are not offered. */
  onPrivate?: (() => void) | undefined;
};

/** The address of a list as a file. */
export const exportAddress = (endpoint: Endpoint, params: Record<string, number>, query: Record<string, unknown>) =>
  address(endpoint, { params, query } as unknown as Input<Endpoint>);

/** Exports a list or a selection as a file. */
export function ExportMenu({ endpoint, label, params = {}, query, readable = false, size = 'sm', onPrivate }: Props) {
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
          <Menu.Item key={format} component="a" href={exportAddress(endpoint, params, { ...asked, format })} download>
            {t(format)}
          </Menu.Item>
        ))}
        {onPrivate && <Menu.Item onClick={onPrivate}>{t('private')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
