import * as l10n from '@vscode/l10n';
import { getLevelName } from './logRow';
import {
  everyLine,
  type LevelKind,
  levelKinds,
  type LogFilter,
  type LogPart,
  type LogsProtocol,
} from '../../src/shared/logs';
import type { HostConnection } from '../messaging/hostConnection';
import { PartChips, type PartColors } from './partChips';
import { element, type ToggleButton, toggleButton } from '../ui/elements';

interface FilterControlOptions {
  readonly host: HostConnection<LogsProtocol>;
  readonly colors: PartColors;
  readonly filter: LogFilter;
  /** Called when the host has applied a filter. */
  readonly onFilter: (filter: LogFilter) => void;
  readonly onFailure: (error: unknown) => void;
}

/** The controls to filter lines by text, level, and part. The host applies the filter. */
export class FilterControl {
  readonly box: FilterBox;
  readonly levels: LevelSwitches;
  readonly chips: PartChips;
  private filter: LogFilter;
  private parts: readonly LogPart[] = [];
  private abortController: AbortController | undefined;
  private applying = Promise.resolve();

  constructor(private readonly options: FilterControlOptions) {
    const { host, colors, filter } = options;
    this.filter = filter;
    this.box = new FilterBox(filter, (text) => this.set({ ...this.filter, ...text }));
    this.levels = new LevelSwitches((levels) => this.set({ ...this.takeTyped(), levels }));
    this.chips = new PartChips({
      colors,
      actions: {
        show: (part, shown) => this.set(withPart(this.takeTyped(), this.keys(), part, shown)),
        remove: (part) => host.send('removePart', { part }),
        add: () => host.send('addParts', undefined),
        reconnect: (part) => host.send('reconnect', { part }),
        recover: (recovery) => host.send(recovery, undefined),
      },
    });
    this.show();
  }

  /** Clears the filter. */
  clear(): void {
    this.takeTyped();
    this.set(everyLine);
  }

  /**
   * Resolves once the host has applied or rejected the filter that the controls show. Actions on
   * the matching lines must wait until then. Otherwise, the host would act on the previous filter's
   * matches.
   */
  async waitUntilApplied(): Promise<void> {
    this.box.applyTyped();
    let awaited;
    do {
      awaited = this.applying;
      await awaited;
    } while (awaited !== this.applying);
  }

  setParts(parts: readonly LogPart[]): void {
    const before = this.keys();
    this.parts = parts;
    const filter = withParts(this.filter, before, this.keys());
    // Parts change state at any time, and the other controls can contain text that is being typed.
    if (filter === this.filter) this.showParts();
    else this.set({ ...this.takeTyped(), parts: filter.parts });
  }

  /** Returns the filter, including text that is not applied yet because it is being typed. */
  private takeTyped(): LogFilter {
    return { ...this.filter, ...this.box.takeTyped() };
  }

  private keys(): readonly string[] {
    return this.parts.map(({ key }) => key);
  }

  private show(): void {
    const { filter } = this;
    this.box.show(filter);
    this.levels.show(filter.levels);
    this.showParts();
  }

  private showParts(): void {
    const { parts } = this.filter;
    this.chips.show(this.parts, parts && new Set(parts));
  }

  private set(filter: LogFilter): void {
    this.filter = filter;
    this.show();
    this.applying = this.apply(filter);
  }

  /** A newer filter makes the response to an older one obsolete. */
  private async apply(filter: LogFilter): Promise<void> {
    const { host, onFilter, onFailure } = this.options;
    this.abortController?.abort();
    const controller = new AbortController();
    this.abortController = controller;
    try {
      const { problem } = await host.request('setFilter', filter, controller.signal);
      this.box.setProblem(problem);
      if (problem === undefined) onFilter(filter);
    } catch (error) {
      if (!controller.signal.aborted) onFailure(error);
    }
  }
}

/** Returns the filter after the user has toggled one part. */
function withPart(
  filter: LogFilter,
  all: readonly string[],
  part: string,
  shown: boolean,
): LogFilter {
  const before = filter.parts ?? all;
  const parts = all.filter((one) => (one === part ? shown : before.includes(one)));
  return { ...filter, parts: parts.length === all.length ? undefined : parts };
}

/**
 * Returns the filter after parts were added or removed. Added parts are shown. If the filter
 * doesn't change, returns the same object.
 */
function withParts(
  filter: LogFilter,
  before: readonly string[],
  now: readonly string[],
): LogFilter {
  const { parts } = filter;
  // The first set of parts isn't a change, because these parts existed when the filter was created.
  if (!parts || before.length === 0) return filter;
  const remaining = now.filter((part) => parts.includes(part) || !before.includes(part));
  if (remaining.length === now.length) return { ...filter, parts: undefined };
  return remaining.join('\n') === parts.join('\n') ? filter : { ...filter, parts: remaining };
}

/** Toggle buttons for the levels that are shown. */
class LevelSwitches {
  readonly element: HTMLElement;
  private readonly switches = new Map<LevelKind, ToggleButton>();

  constructor(onChange: (levels: readonly LevelKind[]) => void) {
    for (const kind of levelKinds) {
      const change = (on: boolean): void =>
        onChange(levelKinds.filter((one) => (one === kind ? on : this.isOn(one))));
      const word = element('span', { class: 'level-word' }, getLevelName(kind));
      const label = element('span', { class: `level-name level-${kind}` }, word);
      const options = { focusKey: `level ${kind}`, hint: getLevelName(kind) };
      this.switches.set(kind, toggleButton(label, change, options));
    }
    const all = [...this.switches.values()].map((one) => one.element);
    this.element = element('div', {
      role: 'group',
      class: 'levels',
      'aria-label': l10n.t('Levels'),
    });
    this.element.append(...all);
  }

  show(levels: readonly LevelKind[]): void {
    for (const [kind, one] of this.switches) one.setOn(levels.includes(kind));
  }

  private isOn(kind: LevelKind): boolean {
    return this.switches.get(kind)?.element.getAttribute('aria-pressed') === 'true';
  }
}

/** The part of a filter that the user types. */
export type TextFilter = Pick<LogFilter, 'text' | 'isPattern' | 'matchCase'>;

/** Debounce time in milliseconds after typing. */
const TYPING = 150;

/** The text filter for lines, with its two toggles. */
class FilterBox {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly problem = element('div', { id: 'filter-problem', class: 'problem' });
  private readonly pattern;
  private readonly matchCase;
  private filter: TextFilter;
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    filter: TextFilter,
    private readonly onChange: (filter: TextFilter) => void,
  ) {
    this.filter = filter;
    this.input = element('input', {
      type: 'text',
      class: 'filter-input',
      'data-focus': 'filter',
      spellcheck: 'false',
      'aria-label': l10n.t('Filter lines'),
      placeholder: l10n.t('Filter (text or expression)'),
      autocomplete: 'off',
      'aria-describedby': this.problem.id,
    });
    this.matchCase = toggleButton('Aa', (matchCase) => this.set({ matchCase }), {
      focusKey: 'match case',
      hint: l10n.t('Match Case'),
    });
    this.pattern = toggleButton('.*', (isPattern) => this.set({ isPattern }), {
      focusKey: 'pattern',
      hint: l10n.t('Use Regular Expression'),
    });
    this.matchCase.element.setAttribute('aria-label', l10n.t('Match Case'));
    this.pattern.element.setAttribute('aria-label', l10n.t('Use Regular Expression'));
    this.element = element(
      'div',
      { class: 'filter-box', role: 'search' },
      this.input,
      element('div', { class: 'switches' }, this.matchCase.element, this.pattern.element),
      this.problem,
    );
    this.problem.hidden = true;
    this.problem.setAttribute('role', 'alert');
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('keydown', (event) => this.pressed(event));
    this.show(filter);
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /** Shows a filter, which must include the text that `takeTyped` has returned. */
  show(filter: TextFilter): void {
    this.filter = filter;
    if (this.input.value !== filter.text) this.input.value = filter.text;
    this.matchCase.setOn(filter.matchCase);
    this.pattern.setOn(filter.isPattern);
  }

  /** Marks the filter as invalid and shows the reason. */
  setProblem(problem: string | undefined): void {
    this.input.setAttribute('aria-invalid', String(problem !== undefined));
    this.element.classList.toggle('invalid', problem !== undefined);
    this.problem.textContent = problem ?? '';
    this.problem.hidden = problem === undefined;
  }

  /** Applies the typed text without waiting for the debounce. */
  applyTyped(): void {
    if (this.typing !== undefined) this.set({});
  }

  /** Returns text that is being typed. The caller must apply it. */
  takeTyped(): Partial<TextFilter> {
    if (this.typing === undefined) return {};
    this.stopDebounce();
    return { text: this.input.value };
  }

  private typed(): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.set({}), TYPING);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      this.set({});
    } else if (event.key === 'Escape' && this.input.value !== '') {
      this.input.value = '';
      this.set({});
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private stopDebounce(): void {
    clearTimeout(this.typing);
    this.typing = undefined;
  }

  private set(change: Partial<TextFilter>): void {
    this.stopDebounce();
    this.show({ ...this.filter, text: this.input.value, ...change });
    this.onChange(this.filter);
  }
}
