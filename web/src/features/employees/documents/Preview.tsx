import { Group, Skeleton } from '@mantine/core';
import type { Attachment } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { apiBase } from '../../../api/base.ts';
import { readFile } from '../../../api/file.ts';
import { BlobPicture } from '../../../ui/BlobPicture.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';

/** Can the browser show the file? Only pictures: the content security policy forbids frames. */
export const isPicture = ({ mime_type }: Attachment): boolean => mime_type.startsWith('image/');

const shown = { maxWidth: '100%', maxHeight: '70dvh', borderRadius: 8 };

/** Shows a stored picture without caching it on the device. */
export function Preview({ file, onClose }: { file: Attachment; onClose: () => void }) {
  const query = useQuery({
    queryKey: [file.download_url],
    queryFn: ({ signal }) => readFile(`${apiBase}${file.download_url}`, signal),
    gcTime: 0,
    // Each read is recorded in the audit log, so the picture is not refetched.
    staleTime: Infinity,
    retry: false,
  });
  return (
    <Dialog title={file.title} size="xl" opened onClose={onClose}>
      {query.isPending ? (
        <Skeleton height={280} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Group justify="center" wrap="nowrap">
          <BlobPicture content={query.data.content} alt={file.title} style={shown} />
        </Group>
      )}
    </Dialog>
  );
}
