/** Saves a file on the user's device. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Late enough for a slow browser, which still reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
