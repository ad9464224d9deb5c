import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import type { EditedBox } from '../../../src/shared/data/boxes';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { formatLabel } from './formatLabel';

/** Maximum length of an option in characters. */
const LONGEST = 32;

/**
 * A control to select the label whose boxes are shown. It is hidden for images with fewer than two
 * labels.
 */
export class LabelFilter {
  readonly element: HTMLSelectElement;
  private labels: readonly string[] = [];
  private shown = '';
  private readonly number: Intl.NumberFormat;

  constructor(
    private readonly strings: BoxStrings,
    locale: string,
    onIsolate: (label: string | undefined) => void,
  ) {
    this.number = new Intl.NumberFormat(locale);
    this.element = element('select', {
      ...{ class: 'label-filter', 'aria-label': strings.isolate, title: `${strings.isolate} (I)` },
      'data-focus': 'label filter',
    });
    this.element.addEventListener('change', () =>
      // The first option represents all labels.
      onIsolate(this.labels[this.element.selectedIndex - 1]),
    );
  }

  show(boxes: readonly EditedBox[], isolated: string | undefined): void {
    const counts = new Map<string, number>();
    if (isolated !== undefined) counts.set(isolated, 0);
    for (const { label } of boxes) counts.set(label, (counts.get(label) ?? 0) + 1);
    const labels = [...counts.keys()].sort();
    const shown = JSON.stringify(labels.map((label) => [label, counts.get(label)]));
    if (shown !== this.shown) this.draw(labels, counts);
    this.shown = shown;
    this.labels = labels;
    this.element.selectedIndex = isolated === undefined ? 0 : labels.indexOf(isolated) + 1;
    this.element.hidden = labels.length < 2 && isolated === undefined;
  }

  private draw(labels: readonly string[], counts: ReadonlyMap<string, number>): void {
    const options = labels.map((label) => {
      const count = this.number.format(counts.get(label) ?? 0);
      const text = fillPlaceholders(this.strings.labelCount, formatLabel(label, LONGEST), count);
      return element('option', {}, text);
    });
    this.element.replaceChildren(element('option', {}, this.strings.allLabels), ...options);
  }
}
