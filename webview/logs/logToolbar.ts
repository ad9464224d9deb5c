import type { RowOrder } from '../../src/shared/logs';
import type { LogStrings } from '../../src/shared/logStrings';
import { element, type ToggleButton, toggleButton, toolButton } from '../ui/elements';
import { menuButton } from '../ui/menuButton';
import type { CountFormatter } from './statusLine';

export interface ToolbarActions {
  pause(paused: boolean): void;
  openJump(): void;
  clear(): void;
  copy(): void;
  exportLines(): void;
  openDocument(): void;
  queryReadings(): void;
  loadOlder(): void;
  setUtc(utc: boolean): void;
  setOrder(order: RowOrder): void;
}

/** State of the panel that the menu needs when it opens. */
export interface ToolbarFacts {
  readonly utc: boolean;
  readonly order: RowOrder;
  readonly hasOlder: boolean;
  readonly isEmpty: boolean;
  readonly hasSelection: boolean;
}

/** Toolbar for the whole log. The two most common actions are buttons; the others are in a menu. */
export class LogToolbar {
  readonly element: HTMLElement;
  private readonly pauseButton: ToggleButton;

  constructor(
    private readonly strings: LogStrings,
    private readonly count: CountFormatter,
    actions: ToolbarActions,
    facts: () => ToolbarFacts,
  ) {
    const { actions: labels, jump } = strings;
    this.pauseButton = toggleButton(labels.pause, (paused) => actions.pause(paused), {
      focusKey: 'pause',
      hint: labels.pauseHint,
      class: 'pause',
    });
    const clear = toolButton(labels.clear, () => actions.clear(), {
      focusKey: 'clear',
      hint: labels.clearHint,
    });
    const menu = menuButton(labels.more, () => this.items(actions, facts()), { focusKey: 'more' });
    this.element = element(
      'div',
      { class: 'tools', role: 'toolbar', 'aria-label': labels.label },
      this.pauseButton.element,
      toolButton(jump.open, () => actions.openJump(), { focusKey: 'open jump', class: 'wide' }),
      clear,
      menu,
    );
  }

  /**
   * Shows the state of the log.
   * @param waiting number of lines that arrived since the log was paused
   */
  show(paused: boolean, waiting: number): void {
    const { actions: labels } = this.strings;
    const resume =
      waiting > 0 ? this.count.of(waiting, labels.resumeWithOne, labels.resumeWith) : labels.resume;
    const label = paused ? resume : labels.pause;
    const { element: button } = this.pauseButton;
    if (button.textContent !== label) button.textContent = label;
    this.pauseButton.setOn(paused);
  }

  private items(actions: ToolbarActions, facts: ToolbarFacts) {
    const { actions: labels, jump } = this.strings;
    const { utc, order, hasOlder, isEmpty, hasSelection } = facts;
    const isByReceipt = order === 'receipt';
    return [
      { label: jump.open, onPress: () => actions.openJump() },
      { label: labels.loadOlder, onPress: () => actions.loadOlder(), enabled: hasOlder },
      {
        label: hasSelection ? labels.copy : labels.copyAll,
        enabled: !isEmpty,
        onPress: () => actions.copy(),
      },
      { label: labels.exportLines, onPress: () => actions.exportLines(), enabled: !isEmpty },
      { label: labels.openDocument, onPress: () => actions.openDocument(), enabled: !isEmpty },
      { label: labels.queryReadings, onPress: () => actions.queryReadings() },
      { label: labels.timesInUtc, onPress: () => actions.setUtc(!utc), checked: utc },
      {
        label: labels.orderByReceipt,
        checked: isByReceipt,
        onPress: () => actions.setOrder(isByReceipt ? 'time' : 'receipt'),
      },
    ];
  }
}
