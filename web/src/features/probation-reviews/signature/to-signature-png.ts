/** The size limit of the service in bytes, with room for the encoding. */
const maxBytes = 195_000;
const widest = 900;
const highest = 360;

const bytesOf = (address: string) => Math.floor(((address.length - address.indexOf(',') - 1) * 3) / 4);

function drawnAt(picture: ImageBitmap, scale: number): string | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (!pen) return undefined;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}

/**
 * Redraws a chosen picture as a PNG small enough for a signature; only its pixels remain, no metadata.
 * @returns undefined if the file is not a picture
 */
export async function toSignaturePng(file: File): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  let scale = Math.min(1, widest / picture.width, highest / picture.height);
  let made = drawnAt(picture, scale);
  while (made !== undefined && bytesOf(made) > maxBytes) {
    scale *= 0.8;
    made = drawnAt(picture, scale);
  }
  picture.close();
  return made;
}
