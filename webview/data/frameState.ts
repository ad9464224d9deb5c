import { button, element } from '../ui/elements';

interface FrameAction {
  readonly label: string;
  readonly onPress: () => void;
}

/** What stands in the place of a tab that cannot be shown: why, and what can be done. */
export class FrameState {
  readonly element = element('div', { class: 'frame-state', role: 'alert' });

  show(text: string, { label, onPress }: FrameAction): void {
    this.element.replaceChildren(
      element('p', {}, text),
      button(label, onPress, { focusKey: 'frame action', primary: true }),
    );
  }
}
