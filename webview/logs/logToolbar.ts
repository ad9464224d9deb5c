import * as l10n from '@vscode/l10n';
import type { RowOrder } from '../../src/shared/logs';
import { element, type ToggleButton, toggleButton, toolButton } from '../ui/elements';
import { menuButton } from '../ui/menuButton';

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

/** Panel state that the menu needs when it opens. */
export interface ToolbarFacts {
  readonly utc: boolean;
  readonly order: RowOrder;
  readonly hasOlder: boolean;
  readonly isEmpty: boolean;
  readonly hasSelection: boolean;
}

/**
 * Toolbar for the whole log. The two most common actions are buttons; the remaining actions are in
 * a menu.
 */
export class LogToolbar {
  readonly element: HTMLElement;
  private readonly pauseButton: ToggleButton;

  constructor(
    private readonly count: Intl.NumberFormat,
    actions: ToolbarActions,
    facts: () => ToolbarFacts,
  ) {
    this.pauseButton = toggleButton(l10n.t('Pause'), (paused) => actions.pause(paused), {
      focusKey: 'pause',
      hint: l10n.t('Pause scrolling. New lines are still received (P)'),
      class: 'pause',
    });
    const clear = toolButton(l10n.t('Clear'), () => actions.clear(), {
      focusKey: 'clear',
      hint: l10n.t('Clear this panel. The service keeps the logs.'),
    });
    const menu = menuButton(l10n.t('More'), () => this.items(actions, facts()), {
      focusKey: 'more',
    });
    this.element = element(
      'div',
      { class: 'tools', role: 'toolbar', 'aria-label': l10n.t('Log actions') },
      this.pauseButton.element,
      toolButton(l10n.t('Jump to Time…'), () => actions.openJump(), {
        focusKey: 'open jump',
        class: 'wide',
      }),
      clear,
      menu,
    );
  }

  /**
   * Shows the log's state.
   * @param waiting number of lines that have arrived since the log was paused
   */
  show(paused: boolean, waiting: number): void {
    const resume =
      waiting > 0
        ? waiting === 1
          ? l10n.t('Resume ({0} new line)', this.count.format(waiting))
          : l10n.t('Resume ({0} new lines)', this.count.format(waiting))
        : l10n.t('Resume');
    const label = paused ? resume : l10n.t('Pause');
    const { element: button } = this.pauseButton;
    if (button.textContent !== label) button.textContent = label;
    this.pauseButton.setOn(paused);
  }

  private items(actions: ToolbarActions, facts: ToolbarFacts) {
    const { utc, order, hasOlder, isEmpty, hasSelection } = facts;
    const isByReceipt = order === 'receipt';
    return [
      { label: l10n.t('Jump to Time…'), onPress: () => actions.openJump() },
      { label: l10n.t('Load Older Lines'), onPress: () => actions.loadOlder(), enabled: hasOlder },
      {
        label: hasSelection ? l10n.t('Copy Selected Lines') : l10n.t('Copy All Lines'),
        enabled: !isEmpty,
        onPress: () => actions.copy(),
      },
      { label: l10n.t('Export…'), onPress: () => actions.exportLines(), enabled: !isEmpty },
      {
        label: l10n.t('Open as Document'),
        onPress: () => actions.openDocument(),
        enabled: !isEmpty,
      },
      { label: l10n.t('Query Readings for This Time'), onPress: () => actions.queryReadings() },
      { label: l10n.t('Show Times in UTC'), onPress: () => actions.setUtc(!utc), checked: utc },
      {
        label: l10n.t('Order by Time Received'),
        checked: isByReceipt,
        onPress: () => actions.setOrder(isByReceipt ? 'time' : 'receipt'),
      },
    ];
  }
}
