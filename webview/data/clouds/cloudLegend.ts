import { element } from '../../ui/elements';
import type { CloudFormatter } from './cloudFormatter';
import type { ColorScale, Coloring } from './cloudViewer';

/** Shows the values that the colors of the points represent. */
export class CloudLegend {
  readonly element: HTMLElement;
  private readonly bar = element('div', { class: 'cloud-scale' });
  private readonly low = element('span');
  private readonly high = element('span');
  private readonly sentence = element('div', { class: 'cloud-scale-text' });

  constructor(private readonly text: CloudFormatter) {
    const ends = element('div', { class: 'cloud-scale-ends' }, this.low, this.high);
    ends.setAttribute('aria-hidden', 'true');
    this.element = element('div', { class: 'cloud-legend' }, this.sentence, this.bar, ends);
    this.element.hidden = true;
  }

  show(coloring: Coloring, scale: ColorScale | undefined): void {
    this.element.hidden = scale === undefined;
    if (!scale) return;
    this.bar.style.background = `linear-gradient(to right, ${scale.colors.join(', ')})`;
    this.low.textContent = this.text.scaleValue(coloring, scale.low);
    this.high.textContent = this.text.scaleValue(coloring, scale.high);
    this.sentence.textContent = this.text.scale(coloring, scale);
  }
}
