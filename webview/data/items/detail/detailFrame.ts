import * as l10n from '@vscode/l10n';
import type { ItemView } from '../../../../src/shared/data/items';
import { element, focusWhenHere } from '../../../ui/elements';
import { HostError } from '../../../messaging/hostConnection';
import type { DataContext } from '../../dataContext';
import { type ItemFormatter, oneLine } from '../createItemFormatter';
import { DetailBar, FactsPanel } from './detailBar';
import { type ItemStage, StageFrame } from './stages';
import { ModelTrial } from '../../trials/modelTrial';

export interface DetailOptions {
  readonly stage: ItemStage;
  /** Maximum size in bytes of content that the stage shows. */
  readonly maxBytes: number;
  readonly text: ItemFormatter;
  readonly itemAt: (index: number, signal: AbortSignal) => Promise<ItemView | undefined>;
  readonly count: () => number;
  readonly download: (item: ItemView) => void;
  readonly opened: (item: ItemView) => void;
  /** Called with the item's index when the user returns to the list. */
  readonly closed: (index: number) => void;
  readonly factsShown: boolean;
  readonly saveFactsShown: (shown: boolean) => void;
}

/** An open item, with navigation to its neighbors and back to the list. */
export class DetailFrame {
  readonly element: HTMLElement;
  private readonly bar: DetailBar;
  private readonly facts: FactsPanel;
  private readonly frame: StageFrame;
  private readonly reader: ContentReader;
  /** A model's predictions for the item; absent if models don't support it. */
  private readonly trial: ModelTrial | undefined;
  private item: ItemView | undefined;
  private showing = new AbortController();
  private moving = false;

  constructor(
    private readonly context: DataContext,
    private readonly options: DetailOptions,
  ) {
    const { host } = context;
    this.reader = new ContentReader(
      async (id, signal) => (await host.request('content', { id }, signal)).bytes,
    );
    this.facts = new FactsPanel((text, name) => this.copy(text, name));
    this.frame = new StageFrame(options.stage.element, options.text, () => this.bar.focus());
    this.trial = options.stage.showPredictions
      ? new ModelTrial(context, {
          showBoxes: (boxes) => options.stage.showPredictions?.(boxes),
          closed: () => this.focus(),
        })
      : undefined;
    this.bar = new DetailBar(options.text, {
      back: () => void this.close(),
      step: (by) => void this.step(by),
      openDocument: () => this.withItem(({ id }) => host.send('openContent', { id })),
      download: () => this.withItem((item) => options.download(item)),
      copyId: () => this.withItem(({ id }) => this.copy(id, l10n.t('Binary Data ID'))),
      showFacts: (shown) => this.showFacts(shown),
      tryModel: this.trial && (() => this.tryModel()),
    });
    this.element = element(
      'section',
      { class: 'detail' },
      this.bar.element,
      element(
        'div',
        { class: 'detail-main' },
        this.frame.element,
        this.trial?.element,
        this.facts.element,
      ),
    );
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.keyPressed(event));
    // When an image replaces the previous one, focus moves to the document body, so also handle
    // keys there.
    document.addEventListener('keydown', (event) => {
      const isUnfocused = event.target === document.body;
      if (isUnfocused && this.element.checkVisibility()) this.keyPressed(event);
    });
    context.onDidReadContent(({ id, bytes }) => {
      if (id === this.item?.id) this.frame.progress(bytes);
    });
    this.bar.setFacts(options.factsShown);
    this.facts.element.hidden = !options.factsShown;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** The open item. */
  get shown(): ItemView | undefined {
    return this.isOpen ? this.item : undefined;
  }

  /** Opens an item without checking for unfinished changes. */
  async open(item: ItemView): Promise<void> {
    this.showing.abort();
    const showing = new AbortController();
    this.showing = showing;
    const { signal } = showing;
    this.options.stage.expectAnother?.();
    this.trial?.clear();
    this.item = item;
    this.options.opened(item);
    this.element.hidden = false;
    this.element.setAttribute('aria-label', oneLine(item.name));
    this.describe(item);
    // The list has lost focus, so without this, keys would have no target until the content is
    // loaded.
    focusWhenHere(() => {
      if (!this.element.contains(document.activeElement)) this.bar.focus();
    });
    void this.readFacts(item, signal);
    await this.showContent(item, signal);
    if (!signal.aborted) await this.readAhead(item, signal);
  }

  /** Refreshes the item after it has changed. */
  async update(): Promise<void> {
    const { item, showing } = this;
    if (!item || !this.isOpen) return;
    const { signal } = showing;
    const now = await this.options.itemAt(item.index, signal).catch(() => undefined);
    if (signal.aborted || now?.id !== item.id) return;
    this.item = now;
    await this.readFacts(now, signal);
  }

  /** Returns to the list; resolves to false if unfinished changes prevent it. */
  async close(): Promise<boolean> {
    const { item } = this;
    if (!this.isOpen || !item) return true;
    if (!(await this.leave())) return false;
    this.hide();
    this.options.closed(item.index);
    return true;
  }

  /** Resolves to true if no unfinished changes prevent showing other content. */
  leave(): Promise<boolean> {
    return this.isOpen ? this.options.stage.leave() : Promise.resolve(true);
  }

  /** Hides the item and discards unfinished changes. */
  hide(): void {
    this.showing.abort();
    this.trial?.clear();
    this.reader.expect([]);
    this.element.hidden = true;
    this.item = undefined;
  }

  focus(): void {
    focusWhenHere(() => {
      if (this.frame.element.contains(document.activeElement)) return;
      this.bar.focus();
      this.options.stage.focus();
    });
  }

  private describe(item: ItemView): void {
    this.bar.show(item, this.options.count());
  }

  private async showContent(item: ItemView, signal: AbortSignal): Promise<void> {
    const { frame, options } = this;
    const download = { label: l10n.t('Download…'), onPress: () => options.download(item) };
    if (item.sizeBytes > options.maxBytes) {
      const sizes = [options.text.size(item.sizeBytes), options.text.size(options.maxBytes)];
      frame.showMessage(
        l10n.t(
          "The content is {0}. Content larger than {1} can't be shown here. Download it instead.",
          ...sizes,
        ),
        [download],
      );
      focusWhenHere(() => this.bar.focus());
      return;
    }
    const reading = new AbortController();
    signal.addEventListener('abort', () => reading.abort(), { once: true });
    const retry = { label: l10n.t('Retry'), onPress: () => void this.open(item) };
    frame.showReading(item.sizeBytes, () => reading.abort());
    try {
      const bytes = await this.reader.read(item, reading.signal);
      if (signal.aborted) return;
      frame.showStage();
      await options.stage.show(item, bytes);
      // Keep focus in the predictions if they arrived before the content.
      const isInTrial = this.trial?.element.contains(document.activeElement) === true;
      if (this.item?.id === item.id && !isInTrial) this.focus();
    } catch (error) {
      if (signal.aborted) return;
      const message = reading.signal.aborted
        ? l10n.t('Loading was canceled.')
        : this.describeFailure(error);
      frame.showMessage(message, [retry, download], { isProblem: true });
      focusWhenHere(() => this.bar.focus());
    }
  }

  private describeFailure(error: unknown): string {
    if (error instanceof HostError && error.kind === 'damaged') {
      return l10n.t(
        "This item's content is damaged on the fleet service's disk. Restore it from a backup, upload the same file again, or delete the item. For details, see the service log.",
      );
    }
    return l10n.t(
      "Couldn't load the items: {0}",
      error instanceof Error ? error.message : String(error),
    );
  }

  private async readFacts({ id }: ItemView, signal: AbortSignal): Promise<void> {
    try {
      const { facts } = await this.context.host.request('facts', { id }, signal);
      this.facts.show(facts);
    } catch (error) {
      if (signal.aborted) return;
      // If the host doesn't respond, the information from the list is still shown.
      const name = l10n.t('Binary Data ID');
      this.facts.show([{ name, value: id }]);
      this.context.announce(error instanceof Error ? error.message : String(error));
    }
  }

  /** Prefetches the next item before the previous one, because users usually move forward. */
  private async readAhead({ index }: ItemView, signal: AbortSignal): Promise<void> {
    const indexes = [index + 1, index - 1].filter((at) => at >= 0 && at < this.options.count());
    const items = await Promise.all(
      indexes.map((at) => this.options.itemAt(at, signal).catch(() => undefined)),
    );
    if (signal.aborted) return;
    this.reader.expect(
      items.filter(
        (item) => item !== undefined && item.sizeBytes <= this.options.maxBytes,
      ) as readonly ItemView[],
    );
  }

  private async step(by: 1 | -1): Promise<void> {
    const { item, options, moving } = this;
    if (!item || moving) return;
    const index = item.index + by;
    if (index < 0 || index >= options.count()) return;
    this.moving = true;
    try {
      if (!(await options.stage.leave())) return;
      const next = await options.itemAt(index, this.showing.signal);
      // Compare IDs, because the open item's object can have been replaced, for example after one
      // of its boxes was saved.
      if (next && this.item?.id === item.id) void this.open(next);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.frame.showMessage(l10n.t("Couldn't load the items: {0}", reason), [], {
        isProblem: true,
      });
    } finally {
      this.moving = false;
    }
  }

  /** Handles keys that the stage hasn't handled already. */
  private keyPressed(event: KeyboardEvent): void {
    const { key, target, defaultPrevented } = event;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (defaultPrevented || !isPlain) return;
    const writes = target instanceof Element && target.closest('input, textarea, select') !== null;
    if (key === 'Escape') void this.close();
    else if (writes) return;
    else if (key === 'm' && this.trial) this.tryModel();
    else if (key === 'ArrowLeft' || key === 'PageUp') void this.step(-1);
    else if (key === 'ArrowRight' || key === 'PageDown') void this.step(1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private showFacts(shown: boolean): void {
    this.bar.setFacts(shown);
    this.facts.element.hidden = !shown;
    this.options.saveFactsShown(shown);
  }

  private tryModel(): void {
    this.withItem((item) => void this.trial?.run(item));
  }

  private copy(text: string, name: string): void {
    const { host, announce } = this.context;
    host.send('copyText', { text });
    announce(l10n.t('Copied: {0}', name));
  }

  private withItem(act: (item: ItemView) => void): void {
    if (this.item) act(this.item);
  }
}

/** Maximum size, in bytes, of content to prefetch and cache. */
const MAX_PREFETCH_BYTES = 8 * 1024 * 1024;
/** Maximum number of concurrent prefetches. */
const MAX_PREFETCHES = 2;

type Load = (id: string, signal: AbortSignal) => Promise<ArrayBuffer>;

interface Ahead {
  readonly stop: AbortController;
  readonly bytes: Promise<ArrayBuffer>;
}

/** Loads the open item's content and prefetches its neighbors' content. */
class ContentReader {
  private readonly ahead = new Map<string, Ahead>();

  constructor(private readonly load: Load) {}

  /** Loads an item's content; the caller owns the buffer. */
  async read({ id }: ItemView, signal: AbortSignal): Promise<ArrayBuffer> {
    const ahead = this.ahead.get(id);
    if (!ahead) return this.load(id, signal);
    this.ahead.delete(id);
    const stop = (): void => ahead.stop.abort();
    signal.addEventListener('abort', stop, { once: true });
    return ahead.bytes.finally(() => signal.removeEventListener('abort', stop));
  }

  /** Prefetches the given items and cancels all other prefetches. */
  expect(items: readonly ItemView[]): void {
    const prefetched = items
      .filter(({ sizeBytes }) => sizeBytes <= MAX_PREFETCH_BYTES)
      .slice(0, MAX_PREFETCHES);
    for (const [id, { stop }] of this.ahead) {
      if (prefetched.some((item) => item.id === id)) continue;
      stop.abort();
      this.ahead.delete(id);
    }
    for (const { id } of prefetched) if (!this.ahead.has(id)) this.begin(id);
  }

  private begin(id: string): void {
    const stop = new AbortController();
    const bytes = this.load(id, stop.signal);
    // Ignore the error. If the content is needed, `read` requests it again and reports the error.
    bytes.catch(() => this.ahead.delete(id));
    this.ahead.set(id, { stop, bytes });
  }
}
