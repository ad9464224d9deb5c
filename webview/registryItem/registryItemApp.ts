import * as l10n from '@vscode/l10n';
import { accessLossKinds } from '../../src/shared/accessLoss';
import type { PageItem, PageReading } from '../../src/shared/registryItem';
import { createRecoveryHandlers, HostError, toErrorState } from '../messaging/hostConnection';
import { element, progressRing, redrawKeepingFocus } from '../ui/elements';
import { type ErrorState, createErrorBox } from '../ui/createErrorBox';
import type { ItemContext } from './itemContext';
import { ItemView } from './itemView';

/** State that the page saved before a reload. */
export interface PageBefore {
  readonly unfolded: readonly string[];
  readonly scrolled: number;
  /** The version whose metrics are shown; if absent, the newest version. */
  readonly version?: string | undefined;
}

interface AppOptions {
  readonly context: ItemContext;
  readonly before: PageBefore;
  readonly saveState: (state: PageBefore) => void;
  /** Announces a message to screen readers. */
  readonly announce: (text: string) => void;
}

/** A registry item's page: loads the item, shows it, and reloads it when it changes. */
export class RegistryItemApp {
  private item: PageItem | undefined;
  private readAt = 0;
  private view: ItemView | undefined;
  private errorState: ErrorState | undefined;
  private abortController: AbortController | undefined;
  private readonly unfolded: Set<string>;
  /** Scroll position to restore when the item is first shown. */
  private scrollTo: number | undefined;
  private version: string | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly options: AppOptions,
  ) {
    const { before } = options;
    this.unfolded = new Set(before.unfolded);
    this.scrollTo = before.scrolled;
    this.version = before.version;
    this.draw();
    addEventListener('scrollend', () => this.saveState());
    addEventListener('focus', () => options.context.host.send('focused', undefined));
  }

  /**
   * Loads the item; `fresh` bypasses the cache. Until the item is loaded, the current content stays
   * visible and is marked if it is outdated.
   */
  async load(fresh: boolean): Promise<void> {
    const { announce } = this.options;
    this.abortController?.abort();
    const controller = new AbortController();
    this.abortController = controller;
    this.root.setAttribute('aria-busy', 'true');
    if (!this.item || fresh) announce(l10n.t('Loading the registry item…'));
    try {
      let reading = await this.request(fresh, controller.signal);
      if (reading.isOld) {
        this.show(reading);
        this.view?.markAge(reading.readAt);
        reading = await this.request(true, controller.signal);
      }
      this.show(reading);
      this.view?.markAge(undefined);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.fail(error);
    }
    this.root.setAttribute('aria-busy', 'false');
    announce('');
    if (!this.view || this.errorState) return;
    await Promise.all([this.readFiles(this.view, controller.signal), this.view.loadMetrics()]);
  }

  /** Shows the metrics for a version, and reloads the item if the version could be new. */
  async showMetrics(version: string): Promise<void> {
    this.version = version;
    this.saveState();
    const { view, item } = this;
    const isKnown = item?.versions.some((one) => one.version === version) === true;
    if (isKnown) view?.selectMetrics(version);
    await this.load(false);
    // If the view was replaced in the meantime, the new view already shows the version.
    if (!isKnown && this.view === view) view?.selectMetrics(version);
    this.view?.revealMetrics();
  }

  private request(fresh: boolean, signal: AbortSignal): Promise<PageReading> {
    return this.options.context.host.request('load', { fresh }, signal);
  }

  private show({ item, readAt }: PageReading): void {
    this.readAt = readAt;
    const isSame = !this.errorState && JSON.stringify(item) === JSON.stringify(this.item);
    this.errorState = undefined;
    if (isSame) return;
    this.item = item;
    this.draw();
  }

  private fail(error: unknown): void {
    this.errorState = toErrorState(error);
    if (error instanceof HostError && accessLossKinds.has(error.kind)) this.item = undefined;
    this.draw();
    this.view?.markAge(this.readAt);
  }

  /** Information about archives is optional, because the page works without it. */
  private async readFiles(view: ItemView, signal: AbortSignal): Promise<void> {
    try {
      view.showFiles(await this.options.context.host.request('readFiles', undefined, signal));
    } catch (error) {
      if (signal.aborted) return;
      view.showFiles([], error instanceof Error ? error.message : String(error));
    }
  }

  private draw(): void {
    const top = this.scrollTo ?? scrollY;
    redrawKeepingFocus(
      this.root,
      () => this.root.replaceChildren(...this.parts()),
      () => undefined,
    );
    if (!this.item) return;
    scrollTo({ top });
    this.scrollTo = undefined;
  }

  private parts(): HTMLElement[] {
    const { errorState, item } = this;
    const { context } = this.options;
    const { host } = context;
    const actions = createRecoveryHandlers(host, () => void this.load(true));
    const box =
      errorState && createErrorBox(errorState, l10n.t("Couldn't read the registry item."), actions);
    this.view = item && new ItemView(item, context, this.viewOptions(), this.view);
    const shown = this.view?.elements ?? [];
    const ring =
      errorState || item
        ? []
        : [element('div', {}, progressRing(l10n.t('Loading the registry item…')))];
    return [...(box ? [box] : []), ...shown, ...ring];
  }

  private viewOptions(): ConstructorParameters<typeof ItemView>[2] {
    const { context, announce } = this.options;
    return {
      copyId: () => {
        context.host.send('copyId', undefined);
        announce(l10n.t('Copied the ID.'));
      },
      refresh: () => void this.load(true),
      version: this.version,
      onVersion: (version) => {
        this.version = version;
        this.saveState();
      },
      unfolded: this.unfolded,
      onFold: (model, isUnfolded) => {
        if (isUnfolded) this.unfolded.add(model);
        else this.unfolded.delete(model);
        this.saveState();
      },
    };
  }

  private saveState(): void {
    if (!this.item) return;
    const { unfolded, version } = this;
    this.options.saveState({
      unfolded: [...unfolded],
      scrolled: Math.round(scrollY),
      ...(version !== undefined && { version }),
    });
  }
}
