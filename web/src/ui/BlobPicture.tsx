import { useCallback, type CSSProperties } from 'react';

type Props = { content: Blob; alt: string; style?: CSSProperties };

/** A picture from memory: a chosen file, or one read with the session. */
export function BlobPicture({ content, alt, style }: Props) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(content);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [content],
  );
  return <img ref={show} alt={alt} {...(style && { style })} />;
}
