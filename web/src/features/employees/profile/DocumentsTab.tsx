import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { attachments, type Attachment } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../../api/base.ts';
import { load } from '../../../api/query.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { FileSize } from '../../../ui/FileSize.tsx';
import { CardOf } from '../../../ui/CardOf.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import type { TabProps } from './JobTab.tsx';

/** The files kept about a person that the reader may see. */
export function DocumentsTab({ id, page, onPage }: TabProps) {
  const t = useTranslations('profile');
  const columns = useColumns();
  const query = useQuery({
    ...load(attachments.list, { params: { id }, query: { page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <ListView
      query={query}
      label={t('tabs.documents')}
      columns={columns}
      card={(row) => <CardOf columns={columns} row={row} />}
      rowKey={(row) => row.id}
      onPage={onPage}
      empty={<Message title={t('documents.none')} />}
    />
  );
}

function useColumns(): Column<Attachment>[] {
  const t = useTranslations('profile.documents');
  return [
    { id: 'title', header: t('name'), cell: (row) => row.title },
    { id: 'category', header: t('category'), cell: (row) => t(`categories.${row.category}`) },
    { id: 'visibility', header: t('visibility'), cell: (row) => t(`visibilities.${row.visibility}`) },
    { id: 'size', header: t('size'), cell: (row) => <FileSize bytes={row.size} /> },
    { id: 'by', header: t('by'), cell: (row) => row.uploaded_by.name },
    { id: 'at', header: t('at'), cell: (row) => <Moment value={row.created_at} /> },
    { id: 'file', header: t('file'), quietHeader: true, cell: (row) => <Download file={row} /> },
  ];
}

function Download({ file }: { file: Attachment }) {
  const t = useTranslations('profile.documents');
  const ready = file.scan_status === 'clean' || file.scan_status === 'not_scanned';
  if (!ready) return <span className="muted">{t(file.scan_status === 'pending' ? 'checking' : 'blocked')}</span>;
  return (
    <Button
      component="a"
      href={`${apiBase}${file.download_url}`}
      download
      variant="subtle"
      size="compact-sm"
      leftSection={<IconDownload size={15} aria-hidden />}
    >
      {t('download')}
      <span className="visually-hidden"> {file.title}</span>
    </Button>
  );
}
