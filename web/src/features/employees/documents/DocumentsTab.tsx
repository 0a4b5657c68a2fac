import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import { attachments, type Attachment, type Reply } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../../api/base.ts';
import { load } from '../../../api/query.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { useDeferred } from '../../../ui/deferred.ts';
import { FileSize } from '../../../ui/FileSize.tsx';
import { focusNeighbour } from '../../../ui/focus-neighbour.ts';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { StatusBadge, type Tone } from '../../../ui/StatusBadge.tsx';
import type { TabProps } from '../record/JobTab.tsx';
import { EditDocument } from './EditDocument.tsx';
import { isPicture, Preview } from './Preview.tsx';
import { Uploads } from './Uploads.tsx';
import { deletionOf, useDelete } from './use-delete.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import { ScrollPane } from '../../../ui/ScrollPane.tsx';

type Props = TabProps & { mayAdd: boolean };
type Opened = { kind: 'preview' | 'edit'; file: Attachment };

/** The person's files that the user may see, page by page. */
export function DocumentsTab({ id, page, onPage, mayAdd }: Props) {
  const t = useTranslations('personDocuments');
  const tProfile = useTranslations('profile');
  const [opened, setOpened] = useState<Opened>();
  const columns = useColumns(setOpened);
  const deferred = useDeferred();
  const query = useQuery({
    ...load(attachments.list, { params: { id }, query: { page } }),
    placeholderData: keepPreviousData,
    select: (found) => without(found, deferred),
  });
  const close = () => setOpened(undefined);
  return (
    <ScrollPane>
      {mayAdd && <Uploads id={id} />}
      <ListView
        query={query}
        label={tProfile('tabs.documents')}
        columns={columns}
        card={(row) => <CardOf columns={columns} row={row} />}
        rowKey={(row) => row.id}
        onPage={onPage}
        empty={<Message title={t('none')}>{t(mayAdd ? 'noneYet' : 'noneForYou')}</Message>}
      />
      {opened?.kind === 'preview' && <Preview file={opened.file} onClose={close} />}
      {opened?.kind === 'edit' && <EditDocument file={opened.file} onClose={close} />}
    </ScrollPane>
  );
}

/** A page of files without those whose deletion can still be undone. */
function without(found: Reply<typeof attachments.list>, deferred: ReadonlySet<string>) {
  const data = found.data.filter((file) => !deferred.has(deletionOf(file)));
  const gone = found.data.length - data.length;
  const { meta } = found;
  return { ...found, data, meta: { ...meta, to: meta.to - gone, total: meta.total - gone } };
}

function useColumns(onOpen: (opened: Opened) => void): Column<Attachment>[] {
  const t = useTranslations('personDocuments');
  return [
    { id: 'title', header: t('name'), cell: (row) => <Title file={row} /> },
    { id: 'category', header: t('category'), cell: (row) => t(`categories.${row.category}`) },
    { id: 'visibility', header: t('visibility'), cell: (row) => t(`visibilities.${row.visibility}`) },
    { id: 'size', header: t('size'), cell: (row) => <FileSize bytes={row.size} /> },
    { id: 'by', header: t('by'), cell: (row) => <bdi>{row.uploaded_by.name}</bdi> },
    { id: 'at', header: t('at'), cell: (row) => <Moment value={row.created_at} /> },
    { id: 'file', header: t('file'), headerHidden: true, cell: (row) => <Actions file={row} onOpen={onOpen} /> },
  ];
}

const Title = ({ file: { title, file_name: name } }: { file: Attachment }) => (
  <Stack gap={0} miw={0}>
    <Text span truncate>
      <bdi>{title}</bdi>
    </Text>
    {name !== title && (
      <Text span truncate className="muted" fz={12.5}>
        <bdi>{name}</bdi>
      </Text>
    )}
  </Stack>
);

const tones: Partial<Record<Attachment['scan_status'], Tone>> = { pending: 'info', infected: 'danger', error: 'warn' };

type ActionsProps = { file: Attachment; onOpen: (opened: Opened) => void };

function Actions({ file, onOpen }: ActionsProps) {
  const t = useTranslations('personDocuments');
  const remove = useDelete();
  const { scan_status: scan, title: name, allowed_actions: may } = file;
  const tone = tones[scan];
  return (
    <Group gap={2} wrap="nowrap" justify={usePhone() ? 'flex-start' : 'flex-end'}>
      {tone && <StatusBadge tone={tone} label={t(`scan.${scan as 'pending'}`)} />}
      {!tone && isPicture(file) && (
        <Action label={t('look', { name })} Icon={IconEye} onClick={() => onOpen({ kind: 'preview', file })} />
      )}
      {!tone && (
        <ActionIcon
          component="a"
          href={`${apiBase}${file.download_url}`}
          download
          variant="subtle"
          color="gray"
          aria-label={t('download', { name })}
          title={t('download', { name })}
        >
          <IconDownload size={16} aria-hidden />
        </ActionIcon>
      )}
      {may.includes('update') && (
        <Action label={t('edit', { name })} Icon={IconPencil} onClick={() => onOpen({ kind: 'edit', file })} />
      )}
      {may.includes('delete') && (
        <Action
          label={t('delete', { name })}
          Icon={IconTrash}
          data-delete
          onClick={({ currentTarget }) => {
            focusNeighbour(currentTarget, '[data-delete]');
            remove(file);
          }}
        />
      )}
    </Group>
  );
}

type ActionProps = {
  label: string;
  Icon: typeof IconEye;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  'data-delete'?: boolean;
};

const Action = ({ label, Icon, ...rest }: ActionProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} {...rest}>
    <Icon size={16} aria-hidden />
  </ActionIcon>
);
