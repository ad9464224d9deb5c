import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { canceled, isCanceled, toFleetError } from '../../../core/api/errors';
import type { Connection } from '../../../core/model/connection';
import { displayName, withoutLinks } from '../../../core/model/displayText';
import {
  type ResourceKind,
  type ResourceTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { escapeIcons, quickPath } from '../../platform/text/displayText';
import { entryKey, type FindEntry, FindIndex, FindRows } from './findIndex';
import { type CrawlProgress, FleetCrawler } from './fleetCrawler';
import { isIdLike, findById } from './idLookup';

/**
 * Maximum number of results. Users rarely read more, and the limit makes 100,000 entries as fast to
 * display as ten.
 */
const SHOWN_RESULTS = 200;
const REDRAW_MS = 150;

interface FindItem extends vscode.QuickPickItem {
  readonly entry: FindEntry;
}

export interface FindPickOptions {
  readonly title: string;
  readonly placeholder: string;
  /** Kinds of resources to list; all kinds if absent. */
  readonly kinds?: readonly ResourceKind[] | undefined;
  /** Returns a result's buttons. */
  readonly buttons?: (target: ResourceTarget) => readonly vscode.QuickInputButton[];
  readonly onButton?: (target: ResourceTarget) => void;
}

/** Quick pick that searches the whole fleet. It is filled while it is open. */
export class FindPick {
  private readonly pick = vscode.window.createQuickPick<FindItem>();
  private readonly index = new FindIndex();
  private readonly rows = new FindRows(SHOWN_RESULTS);
  private total = 0;
  private readonly owned = new DisposableSet();
  private readonly leaving = new AbortController();
  private crawling = new AbortController();
  private redrawTimer: ReturnType<typeof setTimeout> | undefined;
  private progress: CrawlProgress = { done: 0, known: 0, failed: 0 };
  private reading = false;
  private lastLookupId = '';
  /** Row that Enter selects. */
  private active: FindEntry | undefined;
  /**
   * True if VS Code has drawn the current rows, false if it still shows those from the previous
   * query.
   */
  private isDrawn = false;
  /** True if Enter was pressed before the query's first match was loaded. */
  private isEnterPending = false;
  private readonly queried = Promise.withResolvers<unknown>();
  private readonly chosen = Promise.withResolvers<ResourceTarget>();

  constructor(
    private readonly connection: Connection,
    private readonly stores: FleetStores,
    private readonly options: FindPickOptions,
  ) {}

  /** Resolves with the selected resource. Throws `canceled` if the user dismisses the list. */
  async run(): Promise<ResourceTarget> {
    const { pick, owned } = this;
    owned.add(pick);
    pick.placeholder = this.options.placeholder;
    // A walkthrough reclaims focus after its button has run a command.
    pick.ignoreFocusOut = true;
    pick.buttons = [
      { iconPath: new vscode.ThemeIcon('refresh'), tooltip: vscode.l10n.t('Refresh') },
    ];
    this.showBest();
    owned.add(
      pick.onDidChangeActive(([item]) => {
        this.active = item?.entry;
        this.isDrawn = true;
      }),
    );
    owned.add(pick.onDidAccept(() => this.accept()));
    owned.add(pick.onDidHide(() => this.chosen.reject(canceled())));
    owned.add(pick.onDidChangeValue((value) => this.search(value)));
    owned.add(pick.onDidTriggerButton(() => this.readAgain()));
    owned.add(
      pick.onDidTriggerItemButton(({ item }) => this.options.onButton?.(item.entry.target)),
    );
    pick.show();
    this.crawl((error) => this.chosen.reject(error));
    try {
      return await this.chosen.promise;
    } finally {
      clearTimeout(this.redrawTimer);
      this.leaving.abort();
      this.crawling.abort();
      owned.dispose();
    }
  }

  private crawl(fail: (error: Error) => void): void {
    const signal = AbortSignal.any([this.leaving.signal, this.crawling.signal]);
    const listener = {
      found: (entries: readonly FindEntry[]) => {
        this.index.add(entries);
        this.redrawSoon();
      },
      progress: (progress: CrawlProgress) => (this.progress = progress),
    };
    const crawler = new FleetCrawler(this.connection.id, this.stores, listener, signal);
    const work = async (): Promise<void> => {
      await this.read(crawler.crawlMachines());
      // A call for each machine is justified only when the user searches.
      if (this.options.kinds?.length !== 1) await this.queried.promise;
      if (this.includesKind('part')) await this.read(crawler.crawlParts());
    };
    work().catch((error: unknown) => {
      if (!signal.aborted && !isCanceled(error)) fail(toFleetError(error));
    });
  }

  private async read(work: Promise<void>): Promise<void> {
    this.reading = true;
    this.appendMatches();
    await work;
    this.reading = false;
    this.appendMatches();
    // A full list doesn't include better matches that are loaded later.
    if (this.total > SHOWN_RESULTS) this.showBest();
    if (this.isEnterPending) this.acceptBest();
  }

  /**
   * Selects the active row. If Enter was pressed before the first match, selects the best match
   * when the fleet is loaded.
   */
  private accept(): void {
    // VS Code reports indexes, so a selection in an outdated list would select the wrong row in the
    // current list.
    const selected = this.isDrawn
      ? this.pick.selectedItems[0]?.entry
      : (this.active ?? this.rows.entries[0]);
    if (selected) {
      this.chosen.resolve(selected.target);
    } else if (this.reading || !this.acceptBest()) {
      this.isEnterPending = this.pick.value.trim() !== '';
    }
  }

  private acceptBest(): boolean {
    const [best] = this.index.search(this.pick.value, 1, this.options.kinds).entries;
    if (best) this.chosen.resolve(best.target);
    return best !== undefined;
  }

  private readAgain(): void {
    this.crawling.abort();
    this.crawling = new AbortController();
    this.index.clear();
    this.stores.refresh();
    this.showBest();
    this.crawl((error) => void vscode.window.showErrorMessage(withoutLinks(error.message)));
  }

  private search(value: string): void {
    if (value.trim() !== '') this.queried.resolve(value);
    this.isEnterPending = false;
    this.active = undefined;
    this.showBest();
    const id = value.trim();
    if (id === this.lastLookupId || !isIdLike(id) || this.index.search(id, 1).total > 0) return;
    this.lastLookupId = id;
    findById(id, this.connection.id, this.stores, this.leaving.signal).then(
      (entries) => {
        this.index.add(entries);
        this.redrawSoon();
        if (this.isEnterPending) this.acceptBest();
      },
      () => undefined,
    );
  }

  private includesKind(kind: ResourceKind): boolean {
    return this.options.kinds?.includes(kind) ?? true;
  }

  /** Throttles redraws, because many responses can arrive per second. */
  private redrawSoon(): void {
    this.redrawTimer ??= setTimeout(() => {
      this.redrawTimer = undefined;
      if (!this.leaving.signal.aborted) this.appendMatches();
    }, REDRAW_MS);
  }

  private findMatches(): readonly FindEntry[] {
    const { entries, total } = this.index.search(
      this.pick.value,
      SHOWN_RESULTS,
      this.options.kinds,
    );
    this.total = total;
    return entries;
  }

  /** Lists the best matches, best first. */
  private showBest(): void {
    this.rows.set(this.findMatches());
    this.isDrawn = false;
    this.draw();
  }

  /** Appends newly loaded matches to the list. */
  private appendMatches(): void {
    const isChanged = this.rows.append(this.findMatches());
    if (isChanged) this.draw();
    else this.drawProgress();
  }

  private draw(): void {
    const { pick, active } = this;
    const items = this.rows.entries.map((entry) => this.item(entry));
    const activeKey = active && entryKey(active);
    const activeItem = items.find(({ entry }) => entryKey(entry) === activeKey);
    pick.keepScrollPosition = activeItem !== undefined;
    pick.items = items;
    // Otherwise, VS Code activates the first row.
    if (activeItem) pick.activeItems = [activeItem];
    this.drawProgress();
  }

  private drawProgress(): void {
    this.pick.busy = this.reading;
    this.pick.title = this.title(this.rows.entries.length, this.total);
  }

  private title(shown: number, total: number): string {
    const parts = [this.options.title];
    if (shown < total) parts.push(vscode.l10n.t('showing {0} of {1}', shown, total));
    const isDone = !this.reading && this.pick.value.trim() !== '';
    if (isDone && total === 0) parts.push(vscode.l10n.t('no matches'));
    const { done, known, failed } = this.progress;
    if (this.reading && known > 0) parts.push(vscode.l10n.t('loading {0} of {1}', done, known));
    if (failed === 1) parts.push(vscode.l10n.t("1 list couldn't be read"));
    if (failed > 1) parts.push(vscode.l10n.t("{0} lists couldn't be read", failed));
    return parts.join(' · ');
  }

  private item(entry: FindEntry): FindItem {
    const { target, path } = entry;
    const id = targetId(target);
    return {
      entry,
      label: escapeIcons(displayName({ name: target.name, id })),
      // Innermost first, so that truncation removes the least important names.
      description: quickPath(path.toReversed(), '‹'),
      iconPath: new vscode.ThemeIcon(ICONS[target.kind]),
      // The row has already been matched by our own search, which covers more than the label.
      alwaysShow: true,
      buttons: [...(this.options.buttons?.(target) ?? [])],
      ...(showsId(this.pick.value, id) && { detail: id }),
    };
  }
}

const ICONS: Readonly<Record<ResourceKind, string>> = {
  organization: 'organization',
  location: 'location',
  machine: 'vm',
  part: 'circuit-board',
  fragment: 'json',
  dataset: 'library',
  registryItem: 'package',
};

/** Returns true if the query matches the ID, in which case the ID is displayed. */
function showsId(value: string, id: string): boolean {
  const typed = value.trim().toLowerCase();
  return typed.length > 2 && id.toLowerCase().includes(typed);
}
