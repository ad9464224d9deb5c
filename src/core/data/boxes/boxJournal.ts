import type { KeyValue } from '../../ports';
import type { BoundingBox } from '../../model/binaryItem';
import { type BoxContent, isSameContent } from './boxContent';
import type { StoredBox, TrackedBox } from './trackedBox';

/** Change of one box that is in progress. */
interface BegunChange {
  readonly wanted: BoxContent;
  /** Boxes to replace. */
  readonly stored: readonly StoredBox[];
}

interface SavedChange {
  readonly key: string;
  readonly wanted: BoxContent;
  readonly replaced: readonly string[];
}

/**
 * Records which changes to an image's boxes are in progress, so that a change can be recovered if
 * the editor exits before the change is complete.
 */
export class BoxJournal {
  constructor(
    private readonly storage: KeyValue,
    /** Storage key of the image, unique across all connections. */
    private readonly entry: string,
  ) {}

  async begin(key: string, { wanted, stored }: BegunChange): Promise<void> {
    const change: SavedChange = { key, wanted, replaced: stored.map(({ id }) => id) };
    await this.update([...this.readChanges().filter((one) => one.key !== key), change]);
  }

  async end(key: string): Promise<void> {
    const changes = this.readChanges();
    const rest = changes.filter((one) => one.key !== key);
    if (rest.length < changes.length) await this.update(rest);
  }

  /**
   * Creates tracked boxes from the stored boxes, some of which might be part of an interrupted
   * change.
   */
  async track(boxes: readonly BoundingBox[]): Promise<readonly TrackedBox[]> {
    const rest = new Map(boxes.map(({ id, ...content }) => [id, { id, content }]));
    const tracked: TrackedBox[] = [];
    for (const { key, wanted, replaced } of this.readChanges()) {
      const old = replaced.map((id) => rest.get(id)).filter((one) => one !== undefined);
      const added = [...rest.values()].find(
        ({ id, content }) => !replaced.includes(id) && isSameContent(content, wanted),
      );
      if (old.length === 0) await this.end(key);
      else {
        const stored = added ? [...old, added] : old;
        stored.forEach(({ id }) => rest.delete(id));
        tracked.push({ key, wanted, stored, problem: { kind: 'interrupted' } });
      }
    }
    const whole = [...rest.values()].map((one): TrackedBox => ({
      key: one.id,
      wanted: one.content,
      stored: [one],
    }));
    return [...tracked, ...whole];
  }

  private readChanges(): readonly SavedChange[] {
    const value = this.storage.get(this.entry);
    return Array.isArray(value) ? value.filter(isSavedChange) : [];
  }

  private update(changes: readonly SavedChange[]): Promise<void> {
    return this.storage.update(this.entry, changes.length > 0 ? changes : undefined);
  }
}

function isSavedChange(value: unknown): value is SavedChange {
  if (typeof value !== 'object' || value === null) return false;
  const { key, wanted, replaced } = value as Partial<Record<keyof SavedChange, unknown>>;
  return (
    typeof key === 'string' &&
    isContent(wanted) &&
    Array.isArray(replaced) &&
    replaced.every((id) => typeof id === 'string')
  );
}

function isContent(value: unknown): value is BoxContent {
  if (typeof value !== 'object' || value === null) return false;
  const { label, xMin, yMin, xMax, yMax } = value as Partial<Record<keyof BoxContent, unknown>>;
  return (
    typeof label === 'string' &&
    [xMin, yMin, xMax, yMax].every((coordinate) => typeof coordinate === 'number')
  );
}
