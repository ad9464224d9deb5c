import { hashOf, Random } from '../../../simulate/random';
import type { TrainerJob } from '../managed/trainerMessages';
import { readDatasetFile } from './dataset/datasetFile';
import { type Example, selectExamples } from './dataset/examples';
import { lackOf } from './dataset/lack';
import { split, takeEvenly } from './dataset/split';
import { counted, loadSquares } from './images/loadSquares';
import { CLASSIFIER_SIZES } from './network/classifier';
import { DETECTOR_SIZE } from './network/detector';
import { writeModel } from './output/writeModel';
import { Refusal, type Report } from './report';
import { trainClassifier } from './trainClassifier';
import type { Trained } from './trained';
import { trainDetector } from './trainDetector';

/** Everything that is left to chance comes from it: the same images make the same model. */
const SEED = 'fleetwright training';

/**
 * Does a training to its end: reads, selects and divides the images, trains, tries, and writes the model.
 * @throws Refusal when no model can come of it.
 */
export async function train(job: TrainerJob, report: Report): Promise<void> {
  const { task, labels } = job;
  const size = task === 'objectDetection' ? DETECTOR_SIZE : CLASSIFIER_SIZES[task];
  const random = new Random(SEED);
  const examples = await selected(job, random.of('selection'), report);
  const pictured = await loadSquares(examples, size, report);
  refuseLack(pictured, job);
  const parts = split(pictured, labels.length, random.of('split'));
  await report(
    `Learning from ${counted(parts.training.length, 'image')}; ${String(parts.heldOut.length)} are held out to try the model on.`,
  );
  const chance = random.of('fit');
  const trained: Trained =
    task === 'objectDetection'
      ? await trainDetector(parts, job, chance, report)
      : await trainClassifier(parts, { ...job, task }, chance, report);
  await report(`The model is trained: ${trained.summary}.`);
  await report(`It took ${processorSeconds().toFixed(0)} seconds of processor time.`);
  await writeModel(trained, job, hashOf(SEED));
}

/** What of the dataset is learned from; no more than the job may take. */
async function selected(
  { datasetFile, task, labels, maxImages }: TrainerJob,
  random: Random,
  report: Report,
): Promise<readonly Example[]> {
  const images = await readDatasetFile(datasetFile);
  if (images.length === 0) {
    throw new Refusal('The dataset has no images. Add images to it, and tag them or draw boxes.');
  }
  const { examples, passedOver } = selectExamples(images, task, labels);
  for (const [reason, count] of passedOver) {
    await report(`${counted(count, 'image')} ${reason} ${count === 1 ? 'is' : 'are'} passed over.`);
  }
  refuseLack(examples, { task, labels });
  if (examples.length <= maxImages) return examples;
  await report(
    `Of ${String(examples.length)} images ${String(maxImages)} are taken: more do not fit a training.`,
    'warn',
  );
  return takeEvenly(examples, labels.length, maxImages, random);
}

/** What this process has taken of processors since it began. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function refuseLack(
  examples: readonly Example[],
  { task, labels }: Pick<TrainerJob, 'task' | 'labels'>,
): void {
  const lack = lackOf(examples, task, labels);
  if (lack !== undefined) throw new Refusal(lack);
}
