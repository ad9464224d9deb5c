import type { Page } from 'playwright-core';

/** One value that VS Code keeps in the browser. */
export interface StoredValue {
  key: string;
  /** As it is stored; secrets are encrypted. */
  text: string;
}

/** Under these keys is what a window finds again after a reload. VS Code writes them with a delay. */
export const storedKeys = {
  /** The open tabs; written within about five seconds, when the window is idle. */
  tabs: 'memento/workbench.parts.editor',
  /** What the extension remembers, of this window and of all. */
  extension: 'fleetwright.fleetwright',
  secrets: 'secrets.provider',
} as const;

/** All that VS Code keeps in the browser: settings, states, logs, and what it encrypts. */
export async function readBrowserStores(page: Page): Promise<StoredValue[]> {
  // It runs in the page, where the names that the compiler gives to functions are not known: hence
  // none.
  return page.evaluate(async () => {
    const decoder = new TextDecoder();
    const found = Object.entries(localStorage).map(([key, text]) => ({ key, text: String(text) }));
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(`${name} cannot be read`));
      });
      for (const store of database.objectStoreNames) {
        await new Promise<void>((resolve, reject) => {
          const request = database.transaction(store).objectStore(store).openCursor();
          request.onerror = () => reject(new Error(`${store} cannot be read`));
          request.onsuccess = () => {
            const cursor = request.result;
            if (!cursor) {
              resolve();
              return;
            }
            const value: unknown = cursor.value;
            const text = value instanceof Uint8Array ? decoder.decode(value) : value;
            found.push({
              key: typeof cursor.key === 'string' ? cursor.key : '',
              text: typeof text === 'string' ? text : JSON.stringify(text),
            });
            cursor.continue();
          };
        });
      }
      database.close();
    }
    return found;
  });
}
