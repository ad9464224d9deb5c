import type { PageFact } from '../../src/shared/registryItem';
import { element } from '../ui/elements';

/** Creates the list of the item's key facts. */
export function itemFacts(facts: readonly PageFact[], heading: string): HTMLElement {
  return element('section', { class: 'facts', 'aria-label': heading }, factList(facts));
}

/** Creates a list of names and their values. */
export function factList(facts: readonly PageFact[]): HTMLElement {
  const rows = facts.map(({ name, value, isCode }) =>
    element(
      'div',
      {},
      element('dt', {}, name),
      element('dd', { dir: 'auto' }, isCode ? element('code', {}, value) : value),
    ),
  );
  return element('dl', {}, ...rows);
}
