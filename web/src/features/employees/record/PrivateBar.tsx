import { Button } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import type { PrivateDetails } from './use-private-details.ts';

/** The button that opens and closes the private details. */
export function PrivateBar({
  details: { record, error, isLoading, mayHide, show, hide },
}: {
  details: PrivateDetails;
}) {
  const t = useTranslations('profile.private');
  const isOpen = record !== undefined;
  const button = (!isOpen || mayHide) && (
    <Button
      variant="default"
      size="compact-sm"
      loading={isLoading}
      leftSection={isOpen ? <IconEyeOff size={15} aria-hidden /> : <IconEye size={15} aria-hidden />}
      onClick={isOpen ? hide : show}
    >
      {t(isOpen ? 'hide' : 'show')}
    </Button>
  );
  return (
    // closed details are not part of the printed record
    <div {...(!isOpen && { 'data-screen': true })}>
      <DescriptionList
        title={t('title')}
        items={[]}
        actions={button}
        empty={
          <p className="muted" data-screen>
            {t(isOpen ? 'open' : 'closed')}
          </p>
        }
      >
        <ErrorNotice error={error} />
      </DescriptionList>
    </div>
  );
}
