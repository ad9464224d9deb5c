import { type FleetErrorKind, toFleetError } from '../../api/errors';
import { type BoxContent, isSameContent } from './boxContent';
import type { BoxJournal } from './boxJournal';
import type { ImageBoxes } from './imageBoxes';
import { rightOne, type TrackedBox } from './trackedBox';

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
  /** Returns true if a stored box already belongs to a tracked box of the image. */
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
  const { wanted } = box;
  let isBehind = await readIfNeeded(box, options);
  let right = rightOne(box);
  if (wanted && !right) {
    if (box.stored.length > 0) await journal.begin(box.key, { wanted, stored: box.stored });
    right = { id: await add(box, wanted, image), content: wanted };
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
 * Determines the result of calls without a response, and checks that the service still has a box
 * that is considered saved. If another user has removed this box, it must be added again before the
 * old boxes are removed.
 * @returns true if a box is missing that this box's own calls can't have removed
 */
async function readIfNeeded(box: TrackedBox, { image, isKnown }: StoreOptions): Promise<boolean> {
  const { uncertain: doubt } = box;
  if (!doubt && !rightOne(box)) return false;
  const there = await image.read();
  const ids = new Set(there.map(({ id }) => id));
  const before = box.stored.length;
  box.stored = box.stored.filter(({ id }) => ids.has(id));
  const isBehind = !doubt && box.stored.length < before;
  const added = doubt?.added;
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
