import * as vscode from 'vscode';
import type { Localizer } from '../../../../base/localizer';
import { Disposable } from '../../../../base/disposable';
import { ItemContents } from '../../../../core/data/contents/itemContents';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import { binaryDataId } from '../../../../core/model/ids';
import type { DataTab } from '../../../../shared/data/dataPanel';
import type { HostHandlers } from '../../../../shared/protocol';
import type {
  ItemMatches,
  ItemFact,
  itemMessages,
  ItemRange,
  ItemSearch,
  ItemSlice,
  SelectionRef,
} from '../../../../shared/data/items';
import type { Applied, DataSession } from '../dataSession';
import { type DatasetNames, getDatasetNames, getItemFileName, itemView } from './itemViews';
import { toMilliseconds } from '../../../../core/model/timestamp';
import { formatNumber } from '../../../platform/text/displayText';

/** Time in milliseconds during which changes, which arrive in many calls, are collected. */
const GATHERED_MS = 100;
/** Number of items to load before the page requests any; about as many as a page shows. */
const PREFETCHED = 16;

export interface ItemSessionOptions {
  readonly session: DataSession;
  /** Returns the tab that the page shows. */
  readonly tab: () => DataTab;
  readonly notifyStale: (generation: number) => void;
  readonly notifyRead: (id: string, bytes: number) => void;
  readonly openContent: (item: BinaryItem) => Promise<void>;
  readonly copyText: (text: string) => Promise<void>;
  /** Translates error messages. */
  readonly l10n?: Localizer;
}

/** Items in one panel and their contents. */
export class ItemSession extends Disposable {
  private readonly contents: ItemContents;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: ItemSessionOptions) {
    super();
    const { session } = options;
    this.contents = new ItemContents({
      store: () => session.stores.binaryData,
      l10n: options.l10n,
      find: (id) => (session.isAtWork ? session.current.browse.find(id)?.item : undefined),
      // Messages from a webview arrive separately, but messages sent together arrive in the same
      // tick.
      gathered: () => new Promise((resolve) => setImmediate(resolve)),
    });
    this.register(
      session.onDidChangeData(({ kind, ids }) => {
        if (kind === 'deleted' || kind === 'uploaded' || !session.isAtWork) return;
        if (session.current.browse.invalidate(ids)) this.changed();
      }),
    );
    // Items show the names of their datasets.
    this.register(session.onDidChangeDatasets(() => this.changed()));
    this.register(session.onDidApply((applied) => void this.prefetch(applied)));
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  handlers(): HostHandlers<typeof itemMessages> {
    const { contents, options } = this;
    return {
      items: (range, signal) => this.items(range, signal),
      identifyItems: (selection, signal) => this.identify(selection, signal),
      findItems: (search, signal) => this.find(search, signal),
      thumbnail: async ({ id }, signal) => ({
        bytes: await contents.thumbnail(binaryDataId(id), signal),
      }),
      content: async ({ id }, signal) => ({
        bytes: await contents.whole(binaryDataId(id), signal, (bytes) =>
          options.notifyRead(id, bytes),
        ),
      }),
      facts: async ({ id }, signal) => {
        const item = await contents.item(binaryDataId(id), signal);
        const { stores } = options.session;
        return { facts: itemFacts(item, await getDatasetNames(stores, [item])) };
      },
      openContent: async ({ id }) => options.openContent(await contents.item(binaryDataId(id))),
      copyText: ({ text }) => options.copyText(text),
    };
  }

  /** Loads the first items of the tab, and of images their contents, before the page requests them. */
  private async prefetch({ browse }: Applied): Promise<void> {
    const tab = this.options.tab();
    if (tab === 'readings') return;
    // The page's own request reports a failure.
    const items = await browse
      .listing(tab)
      .read(0, PREFETCHED, browse.signal)
      .catch(() => []);
    if (tab === 'images' && !browse.isDisposed) this.contents.prefetch(items, browse.signal);
  }

  private async items(
    { generation, placement, start, end }: ItemRange,
    signal: AbortSignal,
  ): Promise<ItemSlice> {
    const { browse, stores } = this.options.session.of(generation);
    const listing = browse.listing(placement);
    const items = await listing.readTowards(start, end, signal);
    const datasets = await getDatasetNames(stores, items);
    const { count } = await browse.total(placement);
    return {
      start,
      items: items.map((item, index) => itemView(item, start + index, datasets)),
      count: listing.isComplete ? listing.length : Math.max(count, listing.length),
      read: listing.length,
    };
  }

  private async identify(
    { generation, placement, ranges }: SelectionRef,
    signal: AbortSignal,
  ): Promise<{ readonly ids: readonly string[] }> {
    const listing = this.options.session.of(generation).browse.listing(placement);
    const ids: string[] = [];
    for (const { start, end } of ranges) {
      for (const { id } of await listing.read(start, end, signal)) ids.push(id);
    }
    return { ids };
  }

  private async find(
    { generation, placement, ids, end }: ItemSearch,
    signal: AbortSignal,
  ): Promise<ItemMatches> {
    const listing = this.options.session.of(generation).browse.listing(placement);
    await listing.readTowards(end, end, signal);
    const indexes = ids.flatMap((id) => listing.find(binaryDataId(id))?.index ?? []);
    return { indexes, isRead: listing.isComplete || listing.length >= end };
  }

  private changed(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const { session, notifyStale } = this.options;
      if (session.isAtWork) notifyStale(session.current.generation);
    }, GATHERED_MS);
  }
}

/** Returns all of an item's metadata as written by its uploader, without empty values. */
function itemFacts(item: BinaryItem, datasets: DatasetNames): readonly ItemFact[] {
  const { source } = item;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    [vscode.l10n.t('Captured'), formatIsoTime(item.at)],
    [vscode.l10n.t('Received'), formatIsoTime(item.receivedAt ?? 0)],
    [vscode.l10n.t('File Name'), getItemFileName(item)],
    [vscode.l10n.t('MIME Type'), item.mimeType],
    [vscode.l10n.t('Size'), vscode.l10n.t('{0} bytes', formatNumber(item.sizeBytes))],
    [vscode.l10n.t('Tags'), item.tags.join('\n')],
    [vscode.l10n.t('Labels'), item.classifications.map(({ label }) => label).join('\n')],
    [vscode.l10n.t('Datasets'), item.datasetIds.map((id) => datasets.get(id) ?? id).join('\n')],
    [vscode.l10n.t('Component'), source.componentName],
    [vscode.l10n.t('Component Type'), source.componentType],
    [vscode.l10n.t('Method'), source.method],
    [vscode.l10n.t('Machine'), source.machineName],
    [vscode.l10n.t('Part'), source.partName],
    [vscode.l10n.t('Machine ID'), source.machineId],
    [vscode.l10n.t('Part ID'), source.partId],
    [vscode.l10n.t('Location ID'), source.locationId],
    [vscode.l10n.t('Organization ID'), source.organizationId],
    [vscode.l10n.t('Binary Data ID'), item.id],
  ];
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

/** Formats a time to the microsecond, if the service provides that precision. */
function formatIsoTime(micros: number): string | undefined {
  if (micros === 0) return undefined;
  const text = new Date(toMilliseconds(micros)).toISOString();
  const rest = String(Math.round(micros % 1000)).padStart(3, '0');
  return text.replace('Z', rest === '000' ? 'Z' : `${rest}Z`);
}
