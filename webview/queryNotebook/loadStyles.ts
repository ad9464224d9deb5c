import { element } from '../ui/elements';

/**
 * Loads the style sheet next to this script, which applies only within Fleetwright's outputs (see
 * `bundles.ts`). Resolves when the style sheet is loaded, because row heights are measured
 * afterward.
 */
export function loadStyles(): Promise<void> {
  const href = new URL('queryNotebook.css', import.meta.url).href;
  const link = element('link', { rel: 'stylesheet', href });
  return new Promise((resolve) => {
    // If the style sheet fails to load, an unstyled result is better than none.
    for (const over of ['load', 'error']) link.addEventListener(over, () => resolve());
    document.head.append(link);
  });
}
