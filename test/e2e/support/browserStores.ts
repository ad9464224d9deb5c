import type { Page } from 'playwright-core';

/** A value that VS Code saves in the browser. */
export interface StoredValue {
  key: string;
  /** The value as it is stored; secrets are encrypted. */
  text: string;
}

/** Keys of the state that a window restores after a reload. VS Code saves it with a delay. */
export const storedKeys = {
  /** The open tabs; saved within about five seconds, when the window is idle. */
  tabs: 'memento/workbench.parts.editor',
  /** The extension's state for this window and for all windows. */
  extension: 'fleetwright.fleetwright',
  secrets: 'secrets.provider',
} as const;

/**
 * Returns everything that VS Code saves in the browser: settings, states, logs, and encrypted
 * values.
 */
export async function readBrowserStores(page: Page): Promise<StoredValue[]> {
  // The function runs in the page, where the compiler's helper for function names doesn't exist, so
  // it must not contain named functions.
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
