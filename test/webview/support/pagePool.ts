import type { Browser, BrowserContext, Page } from 'playwright-core';
import { delayFrames, slowPage } from '../../support/slowdown';
import { exposeDocumentChannel } from './documentChannel';

const VIEWPORT = { width: 1000, height: 700 };
/** Pointer position outside the viewport, which is also the pointer's position on a new page. */
const AWAY = -10;

const idlePages = new WeakMap<Browser, Page[]>();

/**
 * Enables reuse of a browser's returned pages: the next user gets a new document in a running
 * process that has already compiled the code of the apps.
 */
export function reusePages(browser: Browser): void {
  idlePages.set(browser, []);
}

/** Closes the returned pages, because a previous test might still act on them. */
export async function closeIdlePages(browser: Browser): Promise<void> {
  const idle = idlePages.get(browser) ?? [];
  await Promise.all(idle.splice(0).map((page) => page.close()));
}

/**
 * Opens an empty page in the browser's only profile, because a separate profile would cost more
 * than the page. `returnPage` closes the page.
 */
export async function openPage(browser: Browser): Promise<Page> {
  const idle = idlePages.get(browser)?.pop();
  if (idle) return idle;
  const [profile = await openProfile(browser)] = browser.contexts();
  const page = await profile.newPage();
  await slowPage(page);
  return page;
}

/** Closes a page, or clears it for the next user. */
export async function returnPage(page: Page): Promise<void> {
  const browser = page.context().browser();
  const idle = browser ? idlePages.get(browser) : undefined;
  if (!idle || page.isClosed()) return page.close();
  if (idle.includes(page)) return;
  // Stops all activity and messages of the current document.
  await page.goto('about:blank');
  page.removeAllListeners('pageerror').removeAllListeners('console').removeAllListeners('request');
  await page.unrouteAll();
  await page.mouse.move(AWAY, AWAY);
  const { width, height } = page.viewportSize() ?? {};
  if (width !== VIEWPORT.width || height !== VIEWPORT.height) await page.setViewportSize(VIEWPORT);
  idle.push(page);
}

async function openProfile(browser: Browser): Promise<BrowserContext> {
  const profile = await browser.newContext({ viewport: VIEWPORT });
  await exposeDocumentChannel(profile);
  await delayFrames(profile);
  return profile;
}
