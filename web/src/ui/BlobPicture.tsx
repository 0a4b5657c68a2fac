import { useCallback } from 'react';

/** A picture the browser already has: a chosen file, or one that was read with the session. */
export function BlobPicture({ content, alt }: { content: Blob; alt: string }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(content);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [content],
  );
  return <img ref={show} alt={alt} />;
}
