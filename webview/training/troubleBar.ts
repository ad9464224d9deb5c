import type { TrainingStrings } from '../../src/shared/trainingStrings';
import { troubleOf } from '../messaging/troubleOf';
import { element } from '../ui/elements';
import { type TroubleActions, troubleParts } from '../ui/troubleBox';

/** Shows why jobs can't be shown as they are, and the recovery actions. */
export class TroubleBar {
  readonly element = element('div', { class: 'failure', role: 'alert' });

  constructor(
    private readonly strings: TrainingStrings,
    private readonly actions: TroubleActions,
  ) {
    this.clear();
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  show(error: unknown): void {
    this.element.hidden = false;
    this.element.replaceChildren(...troubleParts(troubleOf(error), this.strings, this.actions));
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
