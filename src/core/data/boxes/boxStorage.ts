import { type FleetErrorKind, toFleetError } from '../../api/errors';
import { type BoxContent, isSameContent, rightOne, type TrackedBox } from './trackedBox';
import type { KeyValue } from '../../ports';
import type { BoundingBox } from '../../model/binaryItem';
import type { BinaryDataId } from '../../model/ids';
import type { BinaryDataStore } from '../../stores/binaryDataStore';

/** Change in progress to one box. */
type BegunChange = Pick<TrackedBox, 'desired' | 'stored'>;

/** Change in progress, as stored. The field names are part of the storage format. */
interface SavedChange {
  readonly key: string;
  /** Content after the change; absent if the box is deleted. */
  readonly wanted?: BoxContent | undefined;
  /** IDs of the boxes to replace or to delete; empty for a new box. */
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

  async begin(key: string, { desired, stored }: BegunChange): Promise<void> {
    const change: SavedChange = { key, wanted: desired, replaced: stored.map(({ id }) => id) };
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
    for (const { key, wanted: desired, replaced } of this.readChanges()) {
      const old = replaced.map((id) => rest.get(id)).filter((one) => one !== undefined);
      const added =
        desired &&
        [...rest.values()].find(
          ({ id, content }) => !replaced.includes(id) && isSameContent(content, desired),
        );
      const isNew = replaced.length === 0;
      if (isNew ? added !== undefined : old.length === 0) {
        await this.end(key);
      } else {
        const stored = added ? [...old, added] : old;
        stored.forEach(({ id }) => rest.delete(id));
        tracked.push({ key, desired, stored, problem: { kind: 'interrupted' } });
      }
    }
    const whole = [...rest.values()].map((one): TrackedBox => ({
      key: one.id,
      desired: one.content,
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
    (wanted === undefined || isContent(wanted)) &&
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

/**
 * One image's boxes on the service, which can't change a box in place. Every method throws
 * `FleetError`.
 */
export interface ImageBoxes {
  read(): Promise<readonly BoundingBox[]>;
  /** @returns the ID of the new box. */
  add(content: BoxContent): Promise<string>;
  /** Throws `notFound` when there is no such box. */
  remove(boxId: string): Promise<void>;
}

export function createImageBoxes(store: () => BinaryDataStore, image: BinaryDataId): ImageBoxes {
  return {
    read: async () => (await store().get([image]))[0]?.boxes ?? [],
    add: (content) => store().addBox(image, content),
    remove: (boxId) => store().removeBox(image, boxId),
  };
}

/**
 * Errors that guarantee that the service stored nothing. After any other error, the change might
 * have been stored.
 */
const rejectionKinds: ReadonlySet<FleetErrorKind> = new Set<FleetErrorKind>([
  'conflict',
  'invalid',
  'notFound',
  'permission',
  'unauthenticated',
  'unsupported',
]);

interface StoreOptions {
  readonly image: ImageBoxes;
  readonly journal: Pick<BoxJournal, 'begin' | 'end'>;
  /** Returns true if a stored box already belongs to a tracked box in the image. */
  readonly isKnown: (boxId: string) => boolean;
}

/**
 * Saves the user's state of a box. Adds the new box before removing old boxes, so that the box is
 * never lost. After a failure, the function can be called again to resume.
 * @returns true if another user has changed the image, so that it must be read again
 * @throws FleetError; `box` then contains the progress
 */
export async function storeBox(box: TrackedBox, options: StoreOptions): Promise<boolean> {
  const { image, journal } = options;
  const { desired } = box;
  let isBehind = await readIfNeeded(box, options);
  let right = rightOne(box);
  const isToBeDeleted = !desired && box.stored.length > 0;
  if (isToBeDeleted || (desired && !right)) await journal.begin(box.key, box);
  if (desired && !right) {
    right = { id: await add(box, desired, image), content: desired };
    box.stored = [...box.stored, right];
  }
  for (const other of box.stored.filter((one) => one !== right)) {
    if (!(await remove(box, other.id, image))) isBehind = true;

    box.stored = box.stored.filter((one) => one !== other);
  }
  await journal.end(box.key);
  return isBehind;
}

/**
 * Determines whether calls that got no response took effect, and checks that the service still has
 * a box that is considered saved. If another user has removed this box, it must be added again
 * before the old boxes are removed.
 * @returns true if a box is missing and can't have been removed by the calls for this box
 */
async function readIfNeeded(box: TrackedBox, { image, isKnown }: StoreOptions): Promise<boolean> {
  const { uncertain } = box;
  if (!uncertain && !rightOne(box)) return false;

  const there = await image.read();
  const ids = new Set(there.map(({ id }) => id));
  const before = box.stored.length;
  box.stored = box.stored.filter(({ id }) => ids.has(id));
  const isBehind = !uncertain && box.stored.length < before;
  const added = uncertain?.added;
  const found = added && there.find((one) => !isKnown(one.id) && isSameContent(one, added));
  if (found) box.stored = [...box.stored, { id: found.id, content: added }];

  box.uncertain = undefined;
  return isBehind;
}

async function add(box: TrackedBox, content: BoxContent, image: ImageBoxes): Promise<string> {
  try {
    return await image.add(content);
  } catch (error) {
    if (!isRejection(error)) box.uncertain = { added: content };

    throw error;
  }
}

/** @returns false if another user has removed the box */
async function remove(box: TrackedBox, boxId: string, image: ImageBoxes): Promise<boolean> {
  try {
    await image.remove(boxId);
    return true;
  } catch (error) {
    if (toFleetError(error).kind === 'notFound') return false;

    if (!isRejection(error)) box.uncertain = {};

    throw error;
  }
}

function isRejection(error: unknown): boolean {
  return rejectionKinds.has(toFleetError(error).kind);
}
