import * as l10n from '@vscode/l10n';
import { getRecoveryLabel } from '../ui/createErrorBox';
import type { LogPart } from '../../src/shared/logs';
import type { HostRecoveryAction } from '../../src/shared/recoveryAction';
import { element, redrawKeepingFocus, textButton, toggleButton, toolButton } from '../ui/elements';

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

export interface PartActions {
  show(part: string, shown: boolean): void;
  remove(part: string): void;
  add(): void;
  reconnect(part: string): void;
  /** Runs a recovery action other than a retry. */
  recover(recovery: HostRecoveryAction): void;
}

/** States that have a notice below the parts. */
const NOTICED: ReadonlySet<LogPart['state']> = new Set(['silent', 'retrying', 'stopped']);

interface PartChipsOptions {
  readonly colors: PartColors;
  readonly actions: PartActions;
}

/** The followed parts, with their visibility, connection states, and errors. */
export class PartChips {
  readonly element = element('div', { class: 'parts', role: 'group' });
  readonly notices = element('div', { class: 'notices' });
  private parts: readonly LogPart[] = [];
  private shown: ReadonlySet<string> | undefined;
  private countdown: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly options: PartChipsOptions) {
    this.element.setAttribute('aria-label', l10n.t('Parts'));
  }

  /** @param shown parts whose lines are shown; undefined for all */
  show(parts: readonly LogPart[], shown: ReadonlySet<string> | undefined): void {
    this.parts = parts;
    this.shown = shown;
    clearInterval(this.countdown);
    if (parts.some(({ retryAt }) => retryAt !== undefined)) {
      this.countdown = setInterval(() => this.draw(), 1_000);
    }
    this.draw();
  }

  /** Describes a part's state in a word or two. */
  describeState({ state, retryAt }: LogPart): string {
    if (state !== 'retrying' || retryAt === undefined) return getStateName(state);
    const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1_000));
    return l10n.t('retrying in {0} s', String(seconds));
  }

  private draw(): void {
    const { actions } = this.options;
    const add = toolButton(l10n.t('Add Part…'), () => actions.add(), { focusKey: 'add part' });
    const fallback = (): HTMLElement => add;
    redrawKeepingFocus(
      this.element,
      () => this.element.replaceChildren(...this.parts.map((part) => this.chip(part)), add),
      (key) =>
        this.element.querySelector(`[data-focus="${CSS.escape(key)}"]`) ? undefined : fallback(),
    );
    const noticedParts = this.parts.filter(({ state }) => NOTICED.has(state));
    redrawKeepingFocus(
      this.notices,
      () => this.notices.replaceChildren(...this.drawNotices(noticedParts)),
      () => undefined,
    );
  }

  private chip(part: LogPart): HTMLElement {
    const { colors, actions } = this.options;
    const { color } = colors.of(part.key);
    const label = element(
      'span',
      { class: `part color-${color}` },
      element('span', { class: 'part-name' }, part.label),
      element('span', { class: `part-state state-${part.state}` }, this.describeState(part)),
    );
    const toggle = toggleButton(label, (on) => actions.show(part.key, on), {
      focusKey: `part ${part.key}`,
      hint: part.detail,
    });
    toggle.setOn(this.shown?.has(part.key) ?? true);
    const hint = l10n.t('Remove {0}', part.label);
    const remove = toolButton('×', () => actions.remove(part.key), {
      focusKey: `remove ${part.key}`,
      hint,
    });
    remove.setAttribute('aria-label', hint);
    return element('div', { class: 'chip' }, toggle.element, remove);
  }

  /**
   * Returns one notice per part. Parts affected by the same unresponsive service share a notice,
   * because their chips show their names.
   */
  private drawNotices(parts: readonly LogPart[]): readonly HTMLElement[] {
    const bySilence = Map.groupBy(parts, ({ key, state, detail }) =>
      state === 'silent' ? `silent ${detail}` : `part ${key}`,
    );
    return [...bySilence.values()].flatMap(([first, ...others]) => {
      if (!first) return [];
      const detail = element('span', {}, first.detail);
      return others.length > 0
        ? element('div', { class: 'notice state-silent' }, detail)
        : this.notice(first);
    });
  }

  private notice(part: LogPart): HTMLElement {
    const { actions } = this.options;
    const { recovery = 'retry', state } = part;
    const again = state === 'stopped' ? l10n.t('Reconnect') : l10n.t('Try Now');
    const label = recovery === 'retry' ? again : getRecoveryLabel(recovery);
    return element(
      'div',
      { class: `notice state-${part.state}` },
      element('strong', {}, `${part.label}: ${this.describeState(part)}`),
      element('span', {}, part.detail),
      state === 'silent'
        ? undefined
        : textButton(
            label,
            () => (recovery === 'retry' ? actions.reconnect(part.key) : actions.recover(recovery)),
            {
              focusKey: `reconnect ${part.key}`,
              hint: `${label}: ${part.label}`,
            },
          ),
    );
  }
}

function getStateName(state: LogPart['state']): string {
  switch (state) {
    case 'connecting':
      return l10n.t('connecting');
    case 'live':
      return l10n.t('live');
    case 'silent':
      return l10n.t('not responding');
    case 'retrying':
      return l10n.t('retrying');
    case 'stopped':
      return l10n.t('stopped');
  }
}
