const pause = 1_000;

/**
 * Loads a part of the application, and tries once more where that fails. Firefox breaks off what a page still loads as
 * soon as it is left: that is no missing file, and a reload would cancel where the reader is going.
 */
export async function secondTry<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => void setTimeout(resolve, pause));
    return load();
  }
}
