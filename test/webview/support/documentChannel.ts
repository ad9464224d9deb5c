import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { delayMs } from '../../support/slowdown';

interface ReceivingWindow {
  readonly documentAddress: string | undefined;
  receiveFromHost(message: unknown): void;
}

/** Receives the messages of a document. */
export interface DocumentListener {
  receive(message: unknown): void;
  complain(text: string): void;
}

/**
 * Listeners by document URL. Messages in transit when a document is closed don't reach any other
 * document.
 */
const listeners = new Map<string, DocumentListener>();

/** Number of messages in transit from and to a document, by its URL. */
const pendingMessages = new Map<string, number>();

/**
 * Source that defines `tellHost(message)` and `complain(text)` in a document; must be in its first
 * script element. The document must define `receiveFromHost(message)`.
 */
export const documentChannel = `
  {
    const { href } = location;
    window.documentAddress = href;
    window.tellHost = (message) => window.sendToTest(href, message);
    window.complain = (text) => window.complainToTest(href, text);
  }`;

/**
 * Prepares a browser profile for documents that contain the channel's source. Must be called at
 * most once per profile.
 */
export async function exposeDocumentChannel(profile: BrowserContext): Promise<void> {
  await profile.exposeFunction('sendToTest', (url: string, message: unknown) => {
    void carry(url, () => listeners.get(url)?.receive(message));
  });
  await profile.exposeFunction('complainToTest', (url: string, text: string) =>
    listeners.get(url)?.complain(text),
  );
}

/** Connects a listener to the document at a URL until `closeDocument` is called. */
export function listenToDocument(url: string, listener: DocumentListener): void {
  listeners.set(url, listener);
}

/**
 * Sends a message to the document at a URL.
 * @returns false if the document was closed
 */
export function postToDocument(page: Page, url: string, message: unknown): Promise<boolean> {
  return carry(url, () => deliver(page, url, message));
}

/** Returns true if all messages from and to the document at a URL have arrived. */
export function isDocumentQuiet(url: string): boolean {
  return !pendingMessages.has(url);
}

/**
 * Passes on a message after all earlier messages have been passed on. Relies on timers with the
 * same delay running in the order in which they were started.
 */
async function carry<T>(url: string, pass: () => T | Promise<T>): Promise<T> {
  pendingMessages.set(url, (pendingMessages.get(url) ?? 0) + 1);
  try {
    if (delayMs() > 0) await sleep(delayMs());
    return await pass();
  } finally {
    const others = (pendingMessages.get(url) ?? 0) - 1;
    if (others > 0) pendingMessages.set(url, others);
    else pendingMessages.delete(url);
  }
}

async function deliver(page: Page, url: string, message: unknown): Promise<boolean> {
  try {
    // Send the message as a single string, because Playwright takes seconds for a message with many
    // objects.
    await page.evaluate(
      ([address, text]) => {
        const receiver = window as unknown as ReceivingWindow;
        if (receiver.documentAddress !== address) throw new Error('This is another document.');
        receiver.receiveFromHost(JSON.parse(text));
      },
      [url, JSON.stringify(message)] as const,
    );
    return true;
  } catch (error) {
    if (!listeners.has(url)) return false;
    throw error;
  }
}

/** Drops all further messages from and to the document at a URL. */
export function closeDocument(url: string): void {
  listeners.delete(url);
}
