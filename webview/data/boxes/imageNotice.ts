import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import type { DecodedImage } from '../decodeImage';
import { MAX_MEGAPIXELS, type ImageProblem } from './decodeCheckedImage';

/** A message next to an image or in place of it. */
export class ImageNotice {
  readonly element = element('div', { class: 'image-notice', role: 'status' });

  constructor(
    private readonly strings: BoxStrings,
    private readonly locale: string,
  ) {}

  loading(): void {
    this.showMessage(this.strings.loading, 'alone');
  }

  /** Shows why the image can't be shown. */
  showProblem(problem: ImageProblem): void {
    this.showMessage(this.describeProblem(problem), 'alone');
  }

  /** Called when the image is shown: hides the message unless the image is incomplete. */
  shown({ isCutOff, isPartial }: Pick<DecodedImage, 'isCutOff' | 'isPartial'>): void {
    const { partial, cutOff } = this.strings.unavailable;
    const text = isPartial ? partial : isCutOff ? cutOff : '';
    this.showMessage(text, text === '' ? 'alone' : 'beside');
  }

  boxesFailed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.showMessage(fillPlaceholders(this.strings.boxesFailed, reason), 'beside');
  }

  private showMessage(text: string, layout: 'alone' | 'beside'): void {
    this.element.textContent = text;
    this.element.hidden = text === '';
    this.element.classList.toggle('beside', layout === 'beside');
  }

  private describeProblem(problem: ImageProblem): string {
    const { unavailable: refused } = this.strings;
    if (problem.kind !== 'tooLarge') return refused[problem.kind];
    const number = new Intl.NumberFormat(this.locale);
    const numbers = [problem.width, problem.height, MAX_MEGAPIXELS];
    return fillPlaceholders(refused.tooLarge, ...numbers.map((one) => number.format(one)));
  }
}
