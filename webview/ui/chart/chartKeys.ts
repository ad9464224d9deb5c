/** Chart actions that keys trigger. */
export interface ChartByKeys {
  /** Moves the cursor by the given number of points. */
  step(by: number): void;
  /** Scales the visible range by a factor around the cursor. */
  zoom(factor: number): void;
  showAll(): void;
}

const FAR = Number.MAX_SAFE_INTEGER;

export function listenToChartKeys(target: HTMLElement, chart: ChartByKeys): void {
  target.addEventListener('keydown', (event) => {
    if (event.target !== target || event.altKey || event.ctrlKey || event.metaKey) return;
    const act = findKeyAction(event, chart);
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * Returns the index after the given number of steps, clamped to the valid range. Without a current
 * index, starts before the first or after the last index.
 * @param count number of indexes
 * @returns undefined if `count` is 0
 */
export function stepIndex(
  count: number,
  index: number | undefined,
  by: number,
): number | undefined {
  if (count === 0) return undefined;
  const from = index ?? (by > 0 ? -1 : count);
  return Math.min(Math.max(from + by, 0), count - 1);
}

function findKeyAction(
  { key, shiftKey }: KeyboardEvent,
  chart: ChartByKeys,
): (() => void) | undefined {
  const step = shiftKey ? 10 : 1;
  switch (key) {
    case 'ArrowLeft':
      return () => chart.step(-step);
    case 'ArrowRight':
      return () => chart.step(step);
    case 'Home':
      return () => chart.step(-FAR);
    case 'End':
      return () => chart.step(FAR);
    case '+':
    case '=':
      return () => chart.zoom(0.5);
    case '-':
      return () => chart.zoom(2);
    case '0':
      return () => chart.showAll();
    default:
      return undefined;
  }
}
