import type { ReadingStrings } from '../../../src/shared/data/readings';
import { toErrorState } from '../../messaging/hostConnection';
import { button, element, progressRing } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/format';
import type { RecoveryHandlers } from '../../ui/createErrorBox';
import type { DataContext } from '../dataContext';
import { emptyList } from '../items/boardStatus';

/**
 * Placeholder shown instead of readings while they are loading, when there are none, or when
 * loading failed.
 */
export class ReadingsState {
  readonly element = element('div', { class: 'readings-state' });

  constructor(
    private readonly context: Pick<DataContext, 'host' | 'strings' | 'canWrite'>,
    private readonly actions: RecoveryHandlers,
  ) {
    this.clear();
  }

  private get strings(): ReadingStrings['states'] {
    return this.context.strings.readings.states;
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  showLoading(): void {
    const { loading } = this.strings;
    this.put(progressRing(loading), element('p', { role: 'status' }, loading));
  }

  showEmpty(clearFilter: (() => void) | undefined): void {
    this.put(
      element('div', { role: 'status' }, ...emptyList(this.context, this.strings, clearFilter)),
    );
  }

  showFailure(error: unknown): void {
    const { message, way } = toErrorState(error);
    this.put(
      element('p', { role: 'alert' }, fillPlaceholders(this.strings.failed, message)),
      button(this.context.strings.frame.ways[way], this.actions[way], {
        focusKey: 'readings retry',
        primary: true,
      }),
    );
  }

  private put(...children: HTMLElement[]): void {
    this.element.replaceChildren(...children);
    this.element.hidden = false;
  }
}
