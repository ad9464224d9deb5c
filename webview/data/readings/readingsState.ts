import type { ReadingStrings } from '../../../src/shared/data/readingStrings';
import { button, element, progressRing } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';

/** What stands where readings would be: they are on their way, there are none, or they could not be read. */
export class ReadingsState {
  readonly element = element('div', { class: 'readings-state' });

  constructor(
    private readonly strings: ReadingStrings['states'],
    private readonly retry: () => void,
  ) {
    this.clear();
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  showLoading(): void {
    const { loading } = this.strings;
    this.put(progressRing(loading), element('p', { role: 'status' }, loading));
  }

  showEmpty(): void {
    const { empty, emptyHint } = this.strings;
    this.put(element('p', { role: 'status' }, empty), element('p', { class: 'faint' }, emptyHint));
  }

  showFailure(error: unknown): void {
    const { failed, retry } = this.strings;
    const reason = error instanceof Error ? error.message : String(error);
    this.put(
      element('p', { role: 'alert' }, fillPlaceholders(failed, reason)),
      button(retry, () => this.retry(), { focusKey: 'readings retry', primary: true }),
    );
  }

  private put(...children: HTMLElement[]): void {
    this.element.replaceChildren(...children);
    this.element.hidden = false;
  }
}
