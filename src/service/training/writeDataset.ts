import { findDatasets } from '../store/data/datasets';
import type { Store } from '../store/store';
import type { TrainingJobRow } from '../store/training/trainingSchema';
import { counted } from './managed/formatQuantity';
import {
  ImageCopies,
  imagesById,
  type ImageSource,
  readDatasetImages,
  readImageLines,
} from './datasetImages';
import {
  type ImageChoice,
  TrainingError,
  type TrainingLine,
  type TrainingOptions,
} from './trainingRunner';

/**
 * Maximum fraction of missing images (1/n). If more images are missing, the remaining images don't
 * represent the dataset.
 */
const MAX_MISSING_DIVISOR = 5;

type Job = Pick<TrainingJobRow, 'organization_id' | 'dataset_id'>;

/** Number of items in a dataset by kind. */
interface Found {
  images: number;
  others: number;
}

/**
 * Writes the images in a job's dataset to a folder, and a file with one line per image in the
 * format of the public service's export. Memory use doesn't grow with the dataset size.
 * @param choice selection of images; if absent, all images are written.
 * @throws TrainingError if the dataset was deleted, has no images, is missing more than a fifth
 *   of its images, or doesn't fit on the disk; any error thrown by the selection.
 */
export async function writeDataset(
  source: ImageSource,
  job: Job,
  datasetFile: string,
  { signal, log }: TrainingOptions,
  choice?: ImageChoice,
): Promise<void> {
  const { store } = source;
  await using copies = await ImageCopies.open(source, datasetFile, signal);
  const found = choice
    ? await writeChosen(store, job, choice, copies, signal)
    : await writeAll(store, job, copies, signal);
  const name = await requireDataset(store, job);
  requireImages(name, found);
  await log({ level: 'info', message: describeDataset(name, found) });
  requireContents(name, copies);
  for (const line of [...goneLines(copies), ...(choice?.toLogLines(copies.written) ?? [])]) {
    await log(line);
  }
}

async function writeAll(
  store: Store,
  job: Job,
  copies: ImageCopies,
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = { images: 0, others: 0 };
  for await (const { images, others } of readDatasetImages(store, job, signal)) {
    found.images += images.length;
    found.others += others;
    await copies.add(images);
  }
  return found;
}

/** Iterates over all images first, and then copies the selected images. */
async function writeChosen(
  store: Store,
  job: Job,
  choice: ImageChoice,
  copies: ImageCopies,
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = { images: 0, others: 0 };
  for await (const { images, others } of readDatasetImages(store, job, signal)) {
    found.images += images.length;
    found.others += others;
    for (const { id, line } of await readImageLines(store, images)) choice.consider(id, line);
  }
  requireImages(await requireDataset(store, job), found);
  const isTaken = (file: string): Promise<boolean> => choice.hasRoomFor(file);
  for await (const { images, gone } of imagesById(store, job, choice.chosen(), signal)) {
    copies.gone += gone;
    if (!(await copies.add(images, isTaken))) break;
  }
  return found;
}

/**
 * Returns the name of the dataset. Fails if the dataset was deleted, which can happen at any time.
 */
async function requireDataset(store: Store, { dataset_id }: Job): Promise<string> {
  const [dataset] = await findDatasets(store, [dataset_id]);
  if (dataset) return dataset.name;
  throw new TrainingError('The dataset was deleted. Submit the job for another dataset.');
}

function requireImages(name: string, { images }: Found): void {
  if (images > 0) return;
  throw new TrainingError(
    `The dataset "${name}" has no images. Add JPEG or PNG images with labels to it.`,
  );
}

function requireContents(name: string, { written, gone }: ImageCopies): void {
  const all = written + gone;
  if (MAX_MISSING_DIVISOR * gone <= all) return;
  const where =
    'they were deleted, they are damaged (the log of the service lists them), or a service that ' +
    'shares its database stores them. Submit the job again there, or remove those images from the dataset.';
  throw new TrainingError(
    written === 0
      ? `None of the images in the dataset "${name}" are stored by this service: ${where}`
      : `Of ${String(all)} images in the dataset "${name}", ${String(gone)} are not stored by this service: ${where}`,
  );
}

function describeDataset(name: string, { images, others }: Found): string {
  return [
    `Dataset "${name}"; images: ${String(images)}.`,
    ...(others > 0 ? [`Skipped because they are not JPEG or PNG images: ${String(others)}.`] : []),
  ].join(' ');
}

function goneLines({ gone }: ImageCopies): TrainingLine[] {
  if (gone === 0) return [];
  const message = `Skipped because they are not stored by this service: ${counted(gone, 'image')}.`;
  return [{ level: 'warn', message }];
}
