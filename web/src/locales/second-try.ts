const pause = 1_000;

/**
 * Loads a part of the application, and tries once more if that fails. Firefox aborts what a page is still loading once
 * the user leaves it: no file is missing then, and a reload would cancel the navigation.
 */
export async function secondTry<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => void setTimeout(resolve, pause));
    return load();
  }
}
