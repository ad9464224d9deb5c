import { element } from '../ui/elements';
import type { KeptViews } from '../ui/keptViews';
import { Splitter } from './splitter';

/** Under this name the page keeps the height of the editor. */
const KEPT_AS = 'split';

interface Placed {
  /** Above all else. */
  readonly head: readonly HTMLElement[];
  /** Above the line that can be moved, and below it. */
  readonly top: readonly HTMLElement[];
  readonly bottom: HTMLElement;
  /** Stands over both when it is open. */
  readonly side: HTMLElement;
}

interface LayoutOptions {
  /** Names the line between the two parts. */
  readonly label: string;
  readonly kept: KeptViews;
}

/** Puts the parts of the panel where they belong. */
export function panelLayout(
  root: HTMLElement,
  { head, top, bottom, side }: Placed,
  { label, kept }: LayoutOptions,
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
