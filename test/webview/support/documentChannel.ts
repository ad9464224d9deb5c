import type { BrowserContext } from 'playwright-core';

/** Receives what a document sends. */
export interface DocumentListener {
  receive(message: unknown): void;
  complain(text: string): void;
}

/** By the address of the document. A message that arrives after it was closed reaches no other one. */
const listeners = new Map<string, DocumentListener>();

/** Source that defines `tellHost(message)` and `complain(text)` in a document, for a script element before others. */
export const documentChannel = `
  {
    const { href } = location;
    window.tellHost = (message) => window.sendToTest(href, message);
    window.complain = (text) => window.complainToTest(href, text);
  }`;

/** Prepares a profile, once, for documents with the source of the channel. */
export async function exposeDocumentChannel(profile: BrowserContext): Promise<void> {
  await profile.exposeFunction('sendToTest', (url: string, message: unknown) =>
    listeners.get(url)?.receive(message),
  );
  await profile.exposeFunction('complainToTest', (url: string, text: string) =>
    listeners.get(url)?.complain(text),
  );
}

/** Connects the document at an address until `closeDocument`. */
export function listenToDocument(url: string, listener: DocumentListener): void {
  listeners.set(url, listener);
}

/** Drops what the document at an address sends from now on. */
export function closeDocument(url: string): void {
  listeners.delete(url);
}
