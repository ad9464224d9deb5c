import type { ReadingStrings } from '../../../src/shared/data/readingStrings';
import type { WayOutWords } from '../../../src/shared/wayOut';
import { troubleOf } from '../../messaging/troubleOf';
import { button, element, progressRing } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import type { TroubleActions } from '../../ui/troubleBox';

/** What stands where readings would be: they are on their way, there are none, or they could not be read. */
export class ReadingsState {
  readonly element = element('div', { class: 'readings-state' });

  constructor(
    private readonly strings: ReadingStrings['states'],
    private readonly ways: WayOutWords,
    private readonly actions: TroubleActions,
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
    const { message, way } = troubleOf(error);
    this.put(
      element('p', { role: 'alert' }, fillPlaceholders(this.strings.failed, message)),
      button(this.ways[way], this.actions[way], { focusKey: 'readings retry', primary: true }),
    );
  }

  private put(...children: HTMLElement[]): void {
    this.element.replaceChildren(...children);
    this.element.hidden = false;
  }
}
