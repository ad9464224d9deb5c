import type { BrowserContext, Page } from 'playwright-core';

/** Returns the factor by which pages and extension hosts are slowed down to reveal races. */
export function slowdown(): number {
  return Number(process.env.FLEETWRIGHT_TEST_SLOWDOWN ?? 1);
}

/** Returns the delay of messages and frames in webview tests, in milliseconds. */
export function delayMs(): number {
  return Math.max(0, slowdown() - 1) * 20;
}

/** Delays the frames of all documents in a browser profile, in order. */
export async function delayFrames(profile: BrowserContext): Promise<void> {
  const delay = delayMs();
  if (delay === 0) return;
  await profile.addInitScript((milliseconds) => {
    const request = window.requestAnimationFrame.bind(window);
    const waiting = new Map<number, ReturnType<typeof setTimeout>>();
    let last = 0;
    window.requestAnimationFrame = (draw) => {
      const id = (last += 1);
      const timer = setTimeout(() => {
        request((time) => {
          if (waiting.delete(id)) draw(time);
        });
      }, milliseconds);
      waiting.set(id, timer);
      return id;
    };
    window.cancelAnimationFrame = (id) => {
      clearTimeout(waiting.get(id));
      waiting.delete(id);
    };
  }, delay);
}

/** Slows down a page if a slowdown is requested. */
export async function slowPage(page: Page): Promise<void> {
  const rate = slowdown();
  if (rate <= 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}
