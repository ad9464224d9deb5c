import * as l10n from '@vscode/l10n';
import type { AnsiSpan, LogDetails } from '../../src/shared/logs';
import { element, textButton } from '../ui/elements';
import { renderStyledText } from './logRow';

interface DetailEntry {
  readonly name: string;
  readonly value: string;
  readonly styles?: readonly AnsiSpan[] | undefined;
}

export interface OpenLinesOptions {
  readonly fetchDetails: (key: number) => Promise<LogDetails>;
  readonly copyText: (text: string) => void;
  /** Called when the height of a line's details changes. */
  readonly onHeight: (key: number, pixels: number) => void;
}

interface OpenLine {
  readonly element: HTMLElement;
  height: number;
}

/** The details of expanded lines. They are preserved when the lines scroll out of view. */
export class OpenLines {
  private readonly lines = new Map<number, OpenLine>();
  private readonly sizes = new ResizeObserver((entries) => this.measure(entries));

  constructor(private readonly options: OpenLinesOptions) {}

  /** Returns the details below a line; undefined if the line is collapsed. */
  getDetails(key: number): HTMLElement | undefined {
    return this.lines.get(key)?.element;
  }

  /** Returns the height, in pixels, of a line's details. */
  getHeight(key: number): number {
    return this.lines.get(key)?.height ?? 0;
  }

  open(key: number): void {
    if (this.lines.has(key)) return;
    const waiting = element('p', { class: 'faint' }, l10n.t('Loading the line…'));
    const made = element('div', { role: 'gridcell', class: 'details', 'data-key': String(key) });
    made.append(waiting);
    this.lines.set(key, { element: made, height: 0 });
    this.sizes.observe(made);
    void this.fill(key, made);
  }

  close(key: number): void {
    const line = this.lines.get(key);
    if (!line) return;
    this.sizes.unobserve(line.element);
    this.lines.delete(key);
  }

  private async fill(key: number, target: HTMLElement): Promise<void> {
    const { fetchDetails } = this.options;
    try {
      target.replaceChildren(this.table(await fetchDetails(key)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      target.replaceChildren(element('p', {}, `${l10n.t('The action failed.')} ${reason}`));
    }
  }

  private table({ message, styles, entries }: LogDetails): HTMLElement {
    const all = [{ name: l10n.t('Message'), value: message, styles }, ...entries];
    return element('dl', {}, ...all.flatMap((entry) => this.entry(entry)));
  }

  private entry({ name, value, styles }: DetailEntry): HTMLElement[] {
    const { copyText } = this.options;
    const copy = textButton(l10n.t('Copy'), () => copyText(value), {
      focusKey: `copy ${name}`,
      hint: l10n.t('Copy {0}', name),
    });
    copy.setAttribute('aria-label', copy.title);
    return [
      element('dt', {}, name),
      element('dd', {}, element('pre', {}, ...renderStyledText(value, styles)), copy),
    ];
  }

  /**
   * Updates the heights of details. An element outside the document has no height, so its last
   * height is reused.
   */
  private measure(entries: readonly ResizeObserverEntry[]): void {
    for (const { target } of entries) {
      if (!(target instanceof HTMLElement) || !target.isConnected) continue;
      const key = Number(target.dataset.key);
      const line = this.lines.get(key);
      if (!line || line.height === target.offsetHeight) continue;
      line.height = target.offsetHeight;
      this.options.onHeight(key, line.height);
    }
  }
}
