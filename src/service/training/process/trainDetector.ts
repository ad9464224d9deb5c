import type { Random } from '../../../simulate/random';
import type { TrainerJob } from '../managed/trainerMessages';
import type { TrainingParts } from './dataset/split';
import { type DetectionMetrics, computeDetectionMetrics } from './figures/computeDetectionMetrics';
import { detectionLoss } from './fit/detectionLoss';
import { detectionTargets } from './fit/detectionTargets';
import { epochsFor } from './fit/epochs';
import { fit, outputsFor } from './fit/fit';
import type { LoadedExample } from './images/loadSquares';
import { detectionsIn } from './network/detections';
import { DETECTOR_SIZE, detectorNetwork, GRID, SIDES } from './network/detector';
import type { Network } from './network/classifier';
import { epochLine, type Report } from './report';
import type { Trained } from './trained';

/** Total number of times that images are shown. */
const SHOWN = 4800;
const RATE = 2e-3;

/** Trains a network that locates objects with the labels in an image. */
export async function trainDetector(
  { learning, validation, heldOut }: TrainingParts<LoadedExample>,
  { labels, maxEpochs }: Pick<TrainerJob, 'labels' | 'maxEpochs'>,
  random: Random,
  report: Report,
): Promise<Trained> {
  const network = detectorNetwork(labels.length, random.wholeBetween(0, 1e6));
  const epochs = epochsFor(learning.length, SHOWN, maxEpochs);
  // Without validation images, there is no early stopping, and held-out images are used to show the
  // progress.
  const watched = validation.length > 0 ? validation : heldOut;
  const result = await fit(
    learning,
    {
      network: network.learning,
      ...{ size: DETECTOR_SIZE, epochs, rate: RATE },
      loss: ([likely, reach], batch, changes) =>
        detectionLoss(
          { likely, reach },
          detectionTargets(batch, changes, labels.length),
          batch.length,
        ),
      validation,
      done: async (epoch, loss, validationLoss) => {
        const { meanIou = 0, recall = 0 } = evaluateDetector(network, watched, labels);
        const quality = { val_iou: meanIou, val_recall: recall };
        const valLoss = validationLoss === undefined ? {} : { val_loss: validationLoss };
        await report(epochLine(epoch, epochs, { loss, ...valLoss, ...quality }));
      },
    },
    random,
  );
  const figures = evaluateDetector(network, heldOut, labels);
  const { meanIou = 0, recall = 0 } = figures;
  return {
    model: network.finished,
    ...{ size: DETECTOR_SIZE, epochs, figures, fit: result },
    summary: `mean IoU ${meanIou.toFixed(3)} and recall ${recall.toFixed(3)} of ${String(figures.heldOut)} boxes on ${String(heldOut.length)} held-out images`,
  };
}

function evaluateDetector(
  network: Network,
  examples: readonly LoadedExample[],
  labels: readonly string[],
): DetectionMetrics {
  const classes = labels.length;
  const findings = [];
  for (const { batch, outputs } of outputsFor(examples, network.finished, DETECTOR_SIZE)) {
    const [likely, reach] = outputs.map((output) => output.dataSync() as Float32Array);
    for (const output of outputs) output.dispose();
    for (const [at, { boxes }] of batch.entries()) {
      const part = (all: Float32Array | undefined, width: number): Float32Array =>
        (all ?? new Float32Array()).subarray(at * width, (at + 1) * width);
      const cellCount = GRID * GRID;
      const found = detectionsIn(
        { likely: part(likely, cellCount * classes), reach: part(reach, cellCount * SIDES) },
        classes,
      );
      findings.push({ truth: boxes, found });
    }
  }
  return computeDetectionMetrics(findings, labels);
}
