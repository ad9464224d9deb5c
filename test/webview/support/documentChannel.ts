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

/** By document URL. Messages in transit when it was closed don't reach another one. */
const listeners = new Map<string, DocumentListener>();

/** Number of messages from and to a document that haven't arrived, by its URL. */
const pendingMessages = new Map<string, number>();

/**
 * Source that defines `tellHost(message)` and `complain(text)` in a document, for the first script
 * element. The document defines `receiveFromHost(message)`.
 */
export const documentChannel = `
  {
    const { href } = location;
    window.documentAddress = href;
    window.tellHost = (message) => window.sendToTest(href, message);
    window.complain = (text) => window.complainToTest(href, text);
  }`;

/** Prepares a browser profile, once, for documents with the source of the channel. */
export async function exposeDocumentChannel(profile: BrowserContext): Promise<void> {
  await profile.exposeFunction('sendToTest', (url: string, message: unknown) => {
    void carry(url, () => listeners.get(url)?.receive(message));
  });
  await profile.exposeFunction('complainToTest', (url: string, text: string) =>
    listeners.get(url)?.complain(text),
  );
}

/** Connects the document at a URL until `closeDocument`. */
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
 * Passes a message on after earlier ones. Timers with the same delay run in the order in which they
 * were started.
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
    // As a single string, because Playwright takes seconds for a message with many objects.
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
