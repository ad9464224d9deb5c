import type { Browser, Page } from 'playwright-core';
import { bundleResults, ResultsPage } from '../test/webview/support/resultsPage';
import { type AppFiles, startBrowser } from '../test/webview/support/webviewPage';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { pageTasks } from './support/pageTasks';
import { QueryGridHost } from './support/queryGridHost';

const ROWS = Number(process.env.FLEETWRIGHT_BENCH_ROWS ?? quickOrFull(50_000, 1_000_000));
const SECONDS = Number(process.env.FLEETWRIGHT_BENCH_SECONDS ?? quickOrFull(2, 20));
const SLOW_FRAME_MS = 50;
/** Pixels per frame when a user scrolls fast with the wheel. */
const WHEEL_STEP = 300;
const BYTES_PER_MEBIBYTE = 1024 * 1024;

type Scrolling = 'wholeWay' | 'wheel' | 'sideways';

/** Scrolls the table; returns the duration of each frame in milliseconds. */
function scrolled(page: Page, scrolling: Scrolling): Promise<readonly number[]> {
  return page.evaluate(
    ([how, seconds, wheelStep]) =>
      new Promise<number[]>((resolve) => {
        const grid = document.querySelector('.data-rows');
        const found: number[] = [];
        const begun = performance.now();
        // Use a method, because for a function the compiler would add a call to a helper that
        // doesn't exist in the page.
        const frames = {
          last: begun,
          next(): void {
            const now = performance.now();
            found.push(now - frames.last);
            frames.last = now;
            const part = Math.min(1, (now - begun) / (seconds * 1000));
            if (grid && how === 'wholeWay') {
              grid.scrollTop = part * (grid.scrollHeight - grid.clientHeight);
            }
            if (grid && how === 'wheel') grid.scrollTop += wheelStep;
            if (grid && how === 'sideways') {
              grid.scrollLeft = part * (grid.scrollWidth - grid.clientWidth);
            }
            if (part < 1) requestAnimationFrame(() => frames.next());
            else resolve(found);
          },
        };
        requestAnimationFrame(() => frames.next());
      }),
    [scrolling, SECONDS, WHEEL_STEP] as const,
  );
}

/** Returns the heap size of the page's scripts in mebibytes. */
async function measureHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return Math.round(usedSize / BYTES_PER_MEBIBYTE);
}

/** Scrolls through a result. Rows are loaded from the host if they are visible long enough. */
async function smoothness(
  browser: Browser,
  files: AppFiles,
  {
    rows,
    columns,
    scrollModes,
  }: { rows: number; columns: number; scrollModes: readonly Scrolling[] },
): Promise<void> {
  await using host = new QueryGridHost(rows, columns);
  await host.ended;
  const opened = await ResultsPage.open(browser, { host, files });
  await opened.show();
  await opened.cell('reading 0').or(opened.page.locator('.kind-time')).first().waitFor();
  const heapBefore = await measureHeap(opened.page);
  for (const scrolling of scrollModes) {
    await opened.page.evaluate(() => document.querySelector('.data-rows')?.scrollTo(0, 0));
    let spans: readonly number[] = [];
    const tasks = await pageTasks(browser, opened.page, async () => {
      spans = await scrolled(opened.page, scrolling);
    });
    report({
      name: `longest work of a frame while scrolling ${rows} rows of ${columns + 3} columns, ${scrolling}`,
      ratio: (tasks[0] ?? NaN) / SLOW_FRAME_MS,
      against: 'a frame of 50 ms',
      aim: '<= 1',
      longestTaskMilliseconds: Math.round(tasks[0] ?? NaN),
      tasksOver50Milliseconds: tasks.filter((task) => task > SLOW_FRAME_MS).length,
      longestFrameMilliseconds: Math.round(Math.max(...spans)),
      medianFrameMilliseconds: Math.round(median(spans)),
      framesOver50Milliseconds: spans.filter((span) => span > SLOW_FRAME_MS).length,
      frames: spans.length,
    });
  }
  report({
    name: `memory of the page after scrolling ${rows} rows of ${columns + 3} columns`,
    ratio: (await measureHeap(opened.page)) / heapBefore,
    against: 'the page when the first rows are shown',
    aim: '<= 3',
    mebibytes: await measureHeap(opened.page),
    mebibytesBefore: heapBefore,
  });
  await opened.close();
}

/**
 * Measures the table of a result in Chromium, with real rows in a real file. Messages use the
 * browser's debugging channel, which is more expensive for the page than VS Code's channel.
 */
runBenchmark(async () => {
  const [browser, files] = await Promise.all([startBrowser(), bundleResults()]);
  try {
    await smoothness(browser, files, {
      rows: ROWS,
      columns: 9,
      scrollModes: ['wholeWay', 'wheel'],
    });
    const wide = { rows: Math.min(ROWS, 2_000), columns: 1_990 };
    await smoothness(browser, files, { ...wide, scrollModes: ['wholeWay', 'sideways'] });
  } finally {
    await browser.close();
  }
});
