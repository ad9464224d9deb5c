import { element } from '../ui/elements';
import type { ViewStateStore } from '../ui/createViewStateStore';
import { Splitter } from './splitter';

/** Key under which the page saves the editor's height. */
const KEPT_AS = 'split';

interface PanelElements {
  /** Elements at the top of the panel. */
  readonly head: readonly HTMLElement[];
  /** Elements above the separator; `bottom` is the element below the separator. */
  readonly top: readonly HTMLElement[];
  readonly bottom: HTMLElement;
  /** Element that covers both parts when it is open. */
  readonly side: HTMLElement;
}

interface LayoutOptions {
  /** Label of the separator between the upper and the lower part. */
  readonly label: string;
  readonly viewStates: ViewStateStore;
}

/** Arranges the parts of the panel. */
export function panelLayout(
  root: HTMLElement,
  { head, top, bottom, side }: PanelElements,
  { label, viewStates: kept }: LayoutOptions,
): void {
  const above = element('div', { class: 'query-top', id: 'query-top' }, ...top);
  const main = element('div', { class: 'query-main' });
  const splitter = new Splitter({
    ...{ label, above, around: main, begin: kept.get(KEPT_AS) },
    onChange: (percent) => kept.set(KEPT_AS, percent),
  });
  main.append(above, splitter.element, bottom, side);
  root.replaceChildren(element('header', {}, ...head), main);
}
