import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the event in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const MICROS_PER_MS = 1_000;

/**
 * Runs some work; returns the durations of the page's longest tasks, longest first, in milliseconds
 * of processor time. Unlike frame durations, processor time isn't affected by other load on the
 * computer.
 */
export async function pageTasks(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await work();
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const toThreadKey = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(toThreadKey),
  );
  return traceEvents
    .filter((event) => event.name.endsWith('RunTask') && pages.has(toThreadKey(event)))
    .map(({ tdur = 0 }) => tdur / MICROS_PER_MS)
    .sort((one, other) => other - one);
}
