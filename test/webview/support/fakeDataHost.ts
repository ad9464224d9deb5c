import './englishVscode';
import type { EditedImage } from '../../../src/shared/data/boxes';
import { type DataFilter, everyData } from '../../../src/shared/data/dataFilter';
import { type DataStart, type DataTab, dataTabs } from '../../../src/shared/data/dataPanel';
import { type DataProtocol, dataProtocol } from '../../../src/shared/data/dataProtocol';
import type { ItemPlacement, ItemView } from '../../../src/shared/data/items';
import type { HostHandlers } from '../../../src/shared/protocol';
import type { RecoveryAction } from '../../../src/shared/recoveryAction';
import { FakeReadings } from './fakeReadings';
import type { WebviewPage } from './webviewPage';

export const noon = Date.UTC(2026, 10, 21, 12);

const kinds = {
  images: { extension: '.jpg', mimeType: 'image/jpeg' },
  pointClouds: { extension: '.pcd', mimeType: 'pointcloud/pcd' },
  files: { extension: '.csv', mimeType: 'text/csv' },
} as const;

/** Returns the item at an index of a long listing, which has one item per second, newest first. */
export function numberedItem(placement: ItemPlacement, index: number): ItemView {
  const { extension, mimeType } = kinds[placement];
  return {
    id: `${placement}-${index}`,
    index,
    name: `${placement}-${index}${extension}`,
    at: noon - index * 1_000,
    sizeBytes: 1_000 + index,
    extension,
    mimeType,
    origin: 'rover-07 › main › camera',
    tags: [],
    boxes: [],
    datasets: [],
  };
}

/** A fake host with generated items, in English. All messages it receives are in `sent`. */
export class FakeDataHost {
  readonly sent: (readonly [name: string, params?: unknown])[] = [];
  /** Number of items per tab; undefined if counting fails. */
  counts: Record<DataTab, number | undefined> = {
    images: 3,
    pointClouds: 0,
    files: 0,
    readings: 0,
  };
  /** Recovery action if counting fails. */
  recovery: RecoveryAction = 'retry';
  /** Fields that override those of the generated items, by tab and index. */
  readonly items = new Map<string, Partial<ItemView>>();
  /** Content by item ID; all other items are empty. */
  readonly contents = new Map<string, Uint8Array>();
  /** Handlers that a test overrides. */
  answers: Partial<HostHandlers<DataProtocol>> = {};
  start: Partial<DataStart> = {};
  filter: DataFilter = { ...everyData, organizations: ['org-1'] };
  generation = 0;
  readonly readings = new FakeReadings(this);
  /** Receives notifications; set when a page is opened. */
  page: Pick<WebviewPage<DataProtocol>, 'notify'> = { notify: () => undefined };

  /** Applies the filter again, as the host does for a refresh. */
  apply(filter = this.filter): void {
    this.filter = filter;
    this.generation += 1;
    this.page.notify('filterApplied', { generation: this.generation, filter });
    for (const tab of dataTabs) this.count(tab);
  }

  /** Sends the count of a tab. */
  count(tab: DataTab): void {
    const count = this.counts[tab];
    const problem = count === undefined ? 'The service does not answer.' : undefined;
    this.page.notify('counted', {
      generation: this.generation,
      tab,
      count,
      problem,
      recovery: this.recovery,
    });
  }

  item(placement: ItemPlacement, index: number): ItemView {
    const item = numberedItem(placement, index);
    return { ...item, ...this.items.get(item.id) };
  }

  /** Returns the parameters of the received messages with the given name. */
  getSent(name: keyof DataProtocol): readonly unknown[] {
    return this.sent.filter(([one]) => one === name).map(([, params]) => params);
  }

  /** The protocol's handlers. Each records its input; a test's own handler takes precedence. */
  get handlers(): HostHandlers<DataProtocol> {
    const noted = Object.keys(dataProtocol).map((name) => {
      const answer = (params: never, signal: never): unknown => {
        this.sent.push([name, params]);
        const known: Readonly<Record<string, unknown>> = { ...this.defaults, ...this.answers };
        const chosen = known[name] as ((params: never, signal: never) => unknown) | undefined;
        return chosen?.(params, signal);
      };
      return [name, answer] as const;
    });
    return Object.fromEntries(noted) as unknown as HostHandlers<DataProtocol>;
  }

  /** Default handlers; commands without one have no effect. */
  private readonly defaults: Partial<HostHandlers<DataProtocol>> = {
    ...this.readings.handlers,
    ready: () =>
      Promise.resolve({
        locale: 'en-US',
        panel: 'panel 1',
        filter: this.filter,
        opened: { ...everyData, organizations: ['org-1'] },
        title: 'Data: Norrvik',
        tab: 'images' as const,
        canWrite: true,
        pointCloudScript: '/pointCloud.js',
        ...this.start,
      }),
    setFilter: ({ filter }) => this.apply(filter),
    begin: () => this.apply(),
    refresh: () => this.apply(),
    complete: () => Promise.resolve({ values: [], more: false }),
    setTab: () => undefined,
    items: ({ placement, start, end }) => {
      const count = this.counts[placement] ?? 0;
      const length = Math.max(0, Math.min(end, count) - start);
      const items = Array.from({ length }, (_, index) => this.item(placement, start + index));
      return Promise.resolve({ start, items, count, read: count });
    },
    identifyItems: ({ placement, ranges }) => {
      const indexes = ranges.flatMap(({ start, end }) =>
        Array.from({ length: end - start }, (_, index) => start + index),
      );
      return Promise.resolve({ ids: indexes.map((index) => this.item(placement, index).id) });
    },
    findItems: ({ placement, ids, end }) => {
      const length = Math.min(end, this.counts[placement] ?? 0);
      const indexes = Array.from({ length }, (_, index) => index);
      const isRequested = (index: number): boolean => ids.includes(this.item(placement, index).id);
      return Promise.resolve({ indexes: indexes.filter(isRequested), isRead: true });
    },
    thumbnail: ({ id }) => Promise.resolve({ bytes: this.getBytes(id) }),
    content: ({ id }) => Promise.resolve({ bytes: this.getBytes(id) }),
    facts: () => Promise.resolve({ facts: [] }),
    openBoxes: ({ image }) => Promise.resolve(this.unedited(image)),
    settleBoxes: ({ image }) => Promise.resolve(this.unedited(image)),
    boxLabels: () => Promise.resolve({ labels: [] }),
    actOnBoxes: () => undefined,
    act: () => undefined,
    undoAction: () => undefined,
    openProposals: () => Promise.resolve({}),
    suspendedReview: () => Promise.resolve({}),
  };

  private unedited(image: string): EditedImage {
    return { image, sequence: 0, boxes: [], saving: false, canUndo: false, canRedo: false };
  }

  private getBytes(id: string): ArrayBuffer {
    return new Uint8Array(this.contents.get(id) ?? []).buffer;
  }
}
