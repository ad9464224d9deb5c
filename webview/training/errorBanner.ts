import type { TrainingStrings } from '../../src/shared/trainingStrings';
import { toErrorState } from '../messaging/toErrorState';
import { element } from '../ui/elements';
import { type RecoveryHandlers, createErrorContent } from '../ui/createErrorBox';

/** Shows why jobs can't be loaded or are outdated, and the recovery actions. */
export class ErrorBanner {
  readonly element = element('div', { class: 'failure', role: 'alert' });

  constructor(
    private readonly strings: TrainingStrings,
    private readonly actions: RecoveryHandlers,
  ) {
    this.clear();
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  show(error: unknown): void {
    this.element.hidden = false;
    this.element.replaceChildren(
      ...createErrorContent(toErrorState(error), this.strings, this.actions),
    );
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
