import { FleetError, type FleetErrorKind, toFleetError } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryContent } from '../../stores/binaryDataStore';
import type { BinaryDataId } from '../../model/ids';

/** Calls under way at the same time. */
const MOST_CALLS = 4;
/** Items of one call, and bytes of its answer: others wait for it, and it has to fit into a message. */
const MOST_ITEMS = 16;
const MOST_BYTES = 4 * 1024 * 1024;
/** Errors of a call that one of its items is the reason for. */
const OF_AN_ITEM: ReadonlySet<FleetErrorKind> = new Set(['notFound', 'damaged']);

export interface ContentBatcherOptions {
  /**
   * Reads contents in one call. Throws `notFound` for all when one was deleted. Contents that are damaged
   * are empty; throws `damaged` when all of them are.
   */
  readonly read: (
    ids: readonly BinaryDataId[],
    signal: AbortSignal,
  ) => Promise<readonly BinaryContent[]>;
  /** Resolves when everybody who asks at about the same time has asked. */
  readonly gathered: () => Promise<void>;
}

interface Asked {
  readonly item: Pick<BinaryItem, 'id' | 'sizeBytes'>;
  readonly signal: AbortSignal;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads contents that many ask for one by one in few calls. */
export class ContentBatcher {
  private waiting: Asked[] = [];
  private calls = 0;
  private gathering = false;

  constructor(private readonly options: ContentBatcherOptions) {}

  /** The content of an item. What is aborted before it is sent is never asked for. Throws `FleetError`. */
  read(item: Asked['item'], signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, signal, resolve, reject });
      void this.gather();
    });
  }

  private async gather(): Promise<void> {
    if (this.gathering) return;
    this.gathering = true;
    await this.options.gathered();
    this.gathering = false;
    this.callNext();
  }

  private callNext(): void {
    this.waiting = this.waiting.filter((asked) => !isDropped(asked));
    while (this.calls < MOST_CALLS && this.waiting.length > 0) void this.call(this.nextBatch());
  }

  /** What waits is spread over the calls that are free, so that the first answer comes soon. */
  private nextBatch(): readonly Asked[] {
    const share = Math.ceil(this.waiting.length / (MOST_CALLS - this.calls));
    let [length, bytes] = [0, 0];
    for (const { item } of this.waiting.slice(0, Math.min(share, MOST_ITEMS))) {
      bytes += item.sizeBytes;
      if (length > 0 && bytes > MOST_BYTES) break;
      length += 1;
    }
    return this.waiting.splice(0, length);
  }

  private async call(batch: readonly Asked[]): Promise<void> {
    this.calls += 1;
    await this.answer(batch);
    this.calls -= 1;
    this.callNext();
  }

  private async answer(batch: readonly Asked[]): Promise<void> {
    const left = batch.filter((asked) => !isDropped(asked));
    if (left.length === 0) return;
    const stop = new AbortController();
    const leave = (): void => {
      if (left.every(({ signal }) => signal.aborted)) stop.abort();
    };
    for (const { signal } of left) signal.addEventListener('abort', leave);
    try {
      const contents = await this.options.read(
        left.map(({ item }) => item.id),
        stop.signal,
      );
      const damaged = hand(left, contents);
      // Read alone, each of them gets the reason.
      if (left.length > 1) for (const asked of damaged) await this.answer([asked]);
      else for (const { item, reject } of damaged) reject(damagedError(item.id));
    } catch (error) {
      await this.explain(left, error);
    } finally {
      for (const { signal } of left) signal.removeEventListener('abort', leave);
    }
  }

  /** One item that was deleted fails the whole call: halves are read until it stands alone. */
  private async explain(batch: readonly Asked[], error: unknown): Promise<void> {
    if (batch.length > 1 && OF_AN_ITEM.has(toFleetError(error).kind)) {
      const middle = batch.length >> 1;
      await this.answer(batch.slice(0, middle));
      await this.answer(batch.slice(middle));
    } else for (const { reject } of batch) reject(error);
  }
}

function isDropped({ signal, reject }: Asked): boolean {
  if (signal.aborted) reject(new FleetError('canceled', 'The download was canceled.'));
  return signal.aborted;
}

/** @returns those whose content can't be read: it is empty although the item isn't. */
function hand(batch: readonly Asked[], contents: readonly BinaryContent[]): readonly Asked[] {
  const damaged: Asked[] = [];
  const byId = new Map(contents.map(({ id, bytes }) => [id, bytes]));
  for (const asked of batch) {
    const { item, resolve, reject } = asked;
    const bytes = byId.get(item.id);
    if (bytes?.length === 0 && item.sizeBytes > 0) damaged.push(asked);
    else if (bytes) resolve(bytes);
    else reject(new FleetError('notFound', `The content of ${item.id} no longer exists.`));
  }
  return damaged;
}

function damagedError(id: BinaryDataId): FleetError {
  return new FleetError('damaged', `The service has no undamaged content of ${id}.`);
}
