import type { Page } from 'playwright-core';

/** Returns how many times slower than they can pages and extension hosts are to run, to reveal races. */
export function slowdown(): number {
  return Number(process.env.FLEETWRIGHT_TEST_SLOWDOWN ?? 1);
}

/** Makes a page slow, if it is to be. */
export async function slowPage(page: Page): Promise<void> {
  const rate = slowdown();
  if (rate <= 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}
