import { useFormatter } from 'use-intl';

/** 1 KB is 1,024 bytes here, as in the limits of the service. */
export function FileSize({ bytes }: { bytes: number }) {
  const format = useFormatter();
  const [value, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KB'] : [bytes / 1_048_576, 'MB'];
  return (
    <bdi className="numbers">
      {format.number(value, { maximumFractionDigits: 1 })} {unit}
    </bdi>
  );
}
