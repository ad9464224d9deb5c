import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import type { DecodedImage } from '../decodeImage';
import { MOST_MEGAPIXELS, type PictureProblem } from './decodePicture';

/** A message instead of an image, or next to it. */
export class ImageNotice {
  readonly element = element('div', { class: 'image-notice', role: 'status' });

  constructor(
    private readonly strings: BoxStrings,
    private readonly locale: string,
  ) {}

  loading(): void {
    this.tell(this.strings.loading, 'alone');
  }

  /** Shows why there is no image. */
  refused(problem: PictureProblem): void {
    this.tell(this.reasonOf(problem), 'alone');
  }

  /** Hides the message when the image is shown, unless it is incomplete. */
  shown({ isCutOff, isPartial }: Pick<DecodedImage, 'isCutOff' | 'isPartial'>): void {
    const { partial, cutOff } = this.strings.refused;
    const text = isPartial ? partial : isCutOff ? cutOff : '';
    this.tell(text, text === '' ? 'alone' : 'beside');
  }

  boxesFailed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.tell(fillPlaceholders(this.strings.boxesFailed, reason), 'beside');
  }

  private tell(text: string, place: 'alone' | 'beside'): void {
    this.element.textContent = text;
    this.element.hidden = text === '';
    this.element.classList.toggle('beside', place === 'beside');
  }

  private reasonOf(problem: PictureProblem): string {
    const { refused } = this.strings;
    if (problem.kind !== 'tooLarge') return refused[problem.kind];
    const number = new Intl.NumberFormat(this.locale);
    const numbers = [problem.width, problem.height, MOST_MEGAPIXELS];
    return fillPlaceholders(refused.tooLarge, ...numbers.map((one) => number.format(one)));
  }
}
