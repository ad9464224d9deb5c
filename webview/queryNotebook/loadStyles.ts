import { element } from '../ui/elements';

/**
 * Loads the style sheet beside this script, which holds within outputs of ours alone (see `bundles.ts`).
 * Resolves when it is there: rows are measured.
 */
export function loadStyles(): Promise<void> {
  const href = new URL('queryNotebook.css', import.meta.url).href;
  const link = element('link', { rel: 'stylesheet', href });
  return new Promise((resolve) => {
    // A result without its look is better than none.
    for (const over of ['load', 'error']) link.addEventListener(over, () => resolve());
    document.head.append(link);
  });
}
