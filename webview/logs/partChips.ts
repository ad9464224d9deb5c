import * as l10n from '@vscode/l10n';
import type { LogPart } from '../../src/shared/logs';
import {
  element,
  redrawKeepingFocus,
  type ToggleButton,
  toggleButton,
  toolButton,
  updateChildren,
  updateText,
} from '../ui/elements';
import { describePartState, type NoticeActions, PartNotices } from './partNotices';

/** Number of colors in the style sheet. */
const COLORS = 8;

export interface PartColor {
  readonly label: string;
  /** Color number, starting at 0, that stays the same while the part exists. */
  readonly color: number;
}

/** The label and color that distinguish each part's lines. */
export class PartColors {
  private readonly colorsByKey = new Map<string, PartColor>();

  /**
   * True if there is more than one part. The lines of different parts must then be distinguishable.
   */
  get several(): boolean {
    return this.colorsByKey.size > 1;
  }

  /** Length, in characters, of the longest label. */
  get labelLength(): number {
    return Math.max(0, ...[...this.colorsByKey.values()].map(({ label }) => label.length));
  }

  /** Lines from a removed part have no label. */
  of(key: string): PartColor {
    return this.colorsByKey.get(key) ?? { label: '', color: 0 };
  }

  /** Sets the current parts; returns true if this changes the appearance of lines. */
  set(parts: readonly LogPart[]): boolean {
    const keys = new Set(parts.map(({ key }) => key));
    const before = JSON.stringify([...this.colorsByKey]);
    for (const key of this.colorsByKey.keys()) if (!keys.has(key)) this.colorsByKey.delete(key);
    for (const { key, label } of parts) {
      this.colorsByKey.set(key, {
        label,
        color: this.colorsByKey.get(key)?.color ?? this.freeColor(),
      });
    }
    return JSON.stringify([...this.colorsByKey]) !== before;
  }

  private freeColor(): number {
    const taken = [...this.colorsByKey.values()].map(({ color }) => color);
    const uses = (color: number): number => taken.filter((one) => one === color).length;
    const colors = Array.from({ length: COLORS }, (_, color) => color);
    return colors.reduce((best, color) => (uses(color) < uses(best) ? color : best), 0);
  }
}

export interface PartActions extends NoticeActions {
  show(part: string, shown: boolean): void;
  remove(part: string): void;
  add(): void;
}

interface PartChipsOptions {
  readonly colors: PartColors;
  readonly actions: PartActions;
}

/** The followed parts, with their visibility, connection states, and errors. */
export class PartChips {
  readonly element = element('div', { class: 'parts', role: 'group' });
  readonly notices: HTMLElement;
  private readonly partNotices: PartNotices;
  private readonly addButton: HTMLElement;
  private readonly chips = new Map<string, Chip>();
  private countdown: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly options: PartChipsOptions) {
    const { actions } = options;
    this.partNotices = new PartNotices(actions);
    this.notices = this.partNotices.element;
    this.addButton = toolButton(l10n.t('Add Part…'), () => actions.add(), {
      focusKey: 'add part',
    });
    this.element.setAttribute('aria-label', l10n.t('Parts'));
  }

  /** @param shown parts whose lines are shown; undefined for all */
  show(parts: readonly LogPart[], shown: ReadonlySet<string> | undefined): void {
    clearInterval(this.countdown);
    if (parts.some(({ retryAt }) => retryAt !== undefined)) {
      this.countdown = setInterval(() => this.updateStates(parts), 1_000);
    }
    const isFocusLost = (key: string): boolean =>
      !this.element.querySelector(`[data-focus="${CSS.escape(key)}"]`);
    redrawKeepingFocus(
      this.element,
      () => this.drawChips(parts, shown),
      (key) => (isFocusLost(key) ? this.addButton : undefined),
    );
    this.partNotices.show(parts);
  }

  private drawChips(parts: readonly LogPart[], shown: ReadonlySet<string> | undefined): void {
    const { actions, colors } = this.options;
    const keys = new Set(parts.map(({ key }) => key));
    for (const key of this.chips.keys()) if (!keys.has(key)) this.chips.delete(key);
    const elements = parts.map((part) => {
      const chip = this.chips.get(part.key) ?? new Chip(part.key, actions);
      this.chips.set(part.key, chip);
      chip.show(part, colors.of(part.key), shown?.has(part.key) ?? true);
      return chip.element;
    });
    updateChildren(this.element, [...elements, this.addButton]);
  }

  private updateStates(parts: readonly LogPart[]): void {
    for (const part of parts) this.chips.get(part.key)?.showState(part);
    this.partNotices.updateStates(parts);
  }
}

/** The controls of one part. They stay the same elements, so that clicks and focus aren't lost. */
class Chip {
  readonly element: HTMLElement;
  private readonly label = element('span');
  private readonly name = element('span', { class: 'part-name' });
  private readonly state = element('span');
  private readonly toggle: ToggleButton;
  private readonly remove: HTMLElement;

  constructor(key: string, actions: Pick<PartActions, 'show' | 'remove'>) {
    this.label.append(this.name, this.state);
    this.toggle = toggleButton(this.label, (on) => actions.show(key, on), {
      focusKey: `part ${key}`,
    });
    this.remove = toolButton('×', () => actions.remove(key), { focusKey: `remove ${key}` });
    this.element = element('div', { class: 'chip' }, this.toggle.element, this.remove);
  }

  show(part: LogPart, { color }: PartColor, isShown: boolean): void {
    const hint = l10n.t('Remove {0}', part.label);
    this.label.className = `part color-${color}`;
    this.state.className = `part-state state-${part.state}`;
    this.toggle.element.title = part.detail;
    this.toggle.setOn(isShown);
    this.remove.title = hint;
    this.remove.setAttribute('aria-label', hint);
    updateText(this.name, part.label);
    this.showState(part);
  }

  showState(part: LogPart): void {
    updateText(this.state, describePartState(part));
  }
}
