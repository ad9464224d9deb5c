import type { TrainingStrings } from '../../src/shared/trainingStrings';
import { HostError } from '../messaging/hostConnection';
import { button, element } from '../ui/elements';

/** What may help, by what an error says of itself; trying again where it says nothing. */
interface TroubleActions {
  readonly retry: () => void;
  readonly signIn: () => void;
  readonly startLocalFleet: () => void;
}

/** Says why jobs cannot be shown as they are, and what can be done about it. */
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
    const { strings, actions } = this;
    const message = error instanceof Error ? error.message : String(error);
    const action = actionOf(error);
    this.element.hidden = false;
    this.element.replaceChildren(
      element('p', {}, element('strong', {}, strings.failed), ' ', message),
      button(strings[action], actions[action], { focusKey: action, primary: true }),
    );
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}

function actionOf(error: unknown): keyof TroubleActions {
  const action = error instanceof HostError ? error.action : undefined;
  return action === 'signIn' || action === 'startLocalFleet' ? action : 'retry';
}
