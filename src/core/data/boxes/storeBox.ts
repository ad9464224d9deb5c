import { type FleetErrorKind, toFleetError } from '../../api/errors';
import { type BoxContent, isSameContent } from './boxContent';
import type { BoxJournal } from './boxJournal';
import type { ImageBoxes } from './imageBoxes';
import { rightOne, type TrackedBox } from './trackedBox';

/** Failures after which nothing has been stored for certain; after all others it may have been. */
const refusals: ReadonlySet<FleetErrorKind> = new Set<FleetErrorKind>([
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
  /** Whether a stored box is known to be somebody else's. */
  readonly isKnown: (boxId: string) => boolean;
}

/**
 * Makes the service have what a person wants of a box. It adds first and removes then, so that at no moment
 * the box is lost. May be called again after a failure: it goes on where it was.
 * @throws FleetError with `box` saying how far it came
 */
export async function storeBox(box: TrackedBox, options: StoreOptions): Promise<void> {
  const { image, journal } = options;
  const { wanted } = box;
  await settleDoubt(box, options);
  let right = rightOne(box);
  if (wanted && !right) {
    if (box.stored.length > 0) await journal.begin(box.key, { wanted, stored: box.stored });
    right = { id: await add(box, wanted, image), content: wanted };
    box.stored = [...box.stored, right];
  }
  for (const other of box.stored.filter((one) => one !== right)) {
    await remove(box, other.id, image);
    box.stored = box.stored.filter((one) => one !== other);
  }
  await journal.end(box.key);
}

/** Finds out what calls did that got no answer, before anything is added or removed once more. */
async function settleDoubt(box: TrackedBox, { image, isKnown }: StoreOptions): Promise<void> {
  const { doubt } = box;
  if (!doubt) return;
  const there = await image.read();
  const ids = new Set(there.map(({ id }) => id));
  box.stored = box.stored.filter(({ id }) => ids.has(id));
  const { added } = doubt;
  const found = added && there.find((one) => !isKnown(one.id) && isSameContent(one, added));
  if (found) box.stored = [...box.stored, { id: found.id, content: added }];
  box.doubt = undefined;
}

async function add(box: TrackedBox, content: BoxContent, image: ImageBoxes): Promise<string> {
  try {
    return await image.add(content);
  } catch (error) {
    if (!isRefusal(error)) box.doubt = { added: content };
    throw error;
  }
}

async function remove(box: TrackedBox, boxId: string, image: ImageBoxes): Promise<void> {
  try {
    await image.remove(boxId);
  } catch (error) {
    // Somebody else has removed it.
    if (toFleetError(error).kind === 'notFound') return;
    if (!isRefusal(error)) box.doubt = {};
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return refusals.has(toFleetError(error).kind);
}
