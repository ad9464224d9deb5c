import { button, element } from '../ui/elements';

interface FrameAction {
  readonly label: string;
  readonly onPress: () => void;
}

/** Placeholder for a tab that can't be shown, with the reason and the recovery actions. */
export class FrameState {
  readonly element = element('div', { class: 'frame-state', role: 'alert' });

  show(text: string, { label, onPress }: FrameAction): void {
    this.element.replaceChildren(
      element('p', {}, text),
      button(label, onPress, { focusKey: 'frame action', primary: true }),
    );
  }
}
