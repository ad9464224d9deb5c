import { hashText, Random } from '../../../simulate/random';
import { counted } from '../managed/counted';
import { type Example, seenFor } from '../managed/examples';
import { ExampleTally } from '../managed/exampleTally';
import { describeMissingExamples } from '../managed/lack';
import type { TrainerJob } from '../managed/trainerMessages';
import { readDatasetFile } from './dataset/datasetFile';
import { divide } from './dataset/split';
import type { FitResult } from './fit/fit';
import { loadSquares } from './images/loadSquares';
import { CLASSIFIER_SIZES } from './network/classifier';
import { DETECTOR_SIZE } from './network/detector';
import { writeModel } from './output/writeModel';
import { TrainingRejectedError, type Report } from './report';
import { trainClassifier } from './trainClassifier';
import type { Trained } from './trained';
import { trainDetector } from './trainDetector';

/** Seed for all random choices. With a constant seed, the same images produce the same model. */
const SEED = 'fleetwright training';

/**
 * Runs a training job to completion: loads and splits the images, trains and evaluates the model,
 * and writes it.
 * @throws TrainingRejectedError if no model can be trained.
 */
export async function train(job: TrainerJob, report: Report): Promise<void> {
  const { task, labels } = job;
  const size = task === 'objectDetection' ? DETECTOR_SIZE : CLASSIFIER_SIZES[task];
  const random = new Random(SEED);
  const pictured = await loadSquares(await loadExamples(job), size, report);
  rejectIfInsufficient(pictured, job);
  const parts = divide(pictured, labels.length, random);
  const { learning, validation, heldOut } = parts;
  await report(
    `Training on ${counted(learning.length, 'image')}. ${String(heldOut.length)} are held out for testing.`,
  );
  await report(
    validation.length > 0
      ? `The loss on ${counted(validation.length, 'validation image')} decides when to stop.`
      : 'There are too few images for a validation set, so the training runs for all epochs.',
  );
  const chance = random.of('fit');
  const trained: Trained =
    task === 'objectDetection'
      ? await trainDetector(parts, job, chance, report)
      : await trainClassifier(parts, { ...job, task }, chance, report);
  const outcome = describeFit(trained.fit, trained.epochs, validation.length);
  if (outcome !== undefined) await report(outcome);
  await report(`The model was trained: ${trained.summary}.`);
  await report(`It took ${processorSeconds().toFixed(0)} seconds of processor time.`);
  await writeModel(trained, job, hashText(SEED), {
    training: learning.length,
    ...(validation.length > 0 && { validation: validation.length }),
    heldOut: heldOut.length,
  });
}

/** Describes when and why training stopped, and which epoch's weights the model has. */
export function describeFit(
  { epochs, best, stoppedAfter }: FitResult,
  planned: number,
  validationImages: number,
): string | undefined {
  if (!best) return undefined;
  const weights = `The model has the weights of epoch ${String(best.epoch)}, whose loss is the lowest: ${best.loss.toFixed(4)}.`;
  return stoppedAfter === undefined
    ? `All ${String(planned)} epochs are done. ${weights}`
    : `Stopped after ${String(epochs)} of ${String(planned)} epochs: the loss on ${counted(validationImages, 'validation image')} has not improved for ${String(stoppedAfter)} epochs. ${weights}`;
}

/** Returns the examples in the dataset that are used for training. */
async function loadExamples({
  datasetFile,
  task,
  labels,
}: TrainerJob): Promise<readonly Example[]> {
  const inspect = seenFor(task, labels);
  const seen = (await readDatasetFile(datasetFile)).map(inspect);
  return seen.flatMap(({ example, skipReason: passedOver }) =>
    passedOver === undefined ? example : [],
  );
}

/** Returns the processor time of this process since it started. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Checks again because images that can't be decoded are only detected when they are loaded. */
function rejectIfInsufficient(
  examples: readonly Example[],
  { task, labels }: Pick<TrainerJob, 'task' | 'labels'>,
): void {
  const tally = new ExampleTally(task, labels.length);
  for (const example of examples) tally.add({ example });
  const problem = describeMissingExamples(tally, task, labels);
  if (problem !== undefined) throw new TrainingRejectedError(problem);
}
