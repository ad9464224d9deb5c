import {
  add,
  div,
  exp,
  log,
  maximum,
  minimum,
  mul,
  neg,
  type Scalar,
  sigmoid,
  slice,
  softplus,
  square,
  sub,
  sum,
  type Tensor,
  tensor,
} from '@tensorflow/tfjs-core';
import { computeIou } from '../../../core/model/boxOverlap';
import type { Random } from '../../../simulate/random';
import type { TrainerJob } from '../managed/trainerMessages';
import type { TrainingParts } from './split';
import {
  type Detection,
  detectionsIn,
  detectionTargets,
  type DetectionTargets,
  DETECTOR_SIZE,
  detectorNetwork,
  GRID,
  SIDES,
} from './detector';
import { epochsFor, fit, outputsFor } from './fit';
import type { LoadedExample } from './loadSquares';
import type { Network } from './network';
import { epochLine, type Report, type Trained } from './report';
import type { ClassBox } from '../managed/examples';

/** Total number of times that images are shown. */
const SHOWN = 4800;
const RATE = 2e-3;

/** Trains a network that locates objects with the given labels in an image. */
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
      size: DETECTOR_SIZE,
      epochs,
      rate: RATE,
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
    size: DETECTOR_SIZE,
    epochs,
    figures,
    fit: result,
    summary: `mean IoU ${meanIou.toFixed(3)} and recall ${recall.toFixed(3)} of ${String(figures.heldOut)} boxes on ${String(heldOut.length)} held-out images`,
  };
}

function evaluateDetector(
  network: Network,
  examples: readonly LoadedExample[],
  labels: readonly string[],
): DetectionMetrics {
  const classes = labels.length;
  const detections = [];
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
      detections.push({ truth: boxes, found });
    }
  }
  return computeDetectionMetrics(detections, labels);
}

const REACH_WEIGHT = 1;
const MAX_LOG_SIDE = 4;

/**
 * Computes a detector's loss. Centers use the focal loss from CenterNet, so that the many empty
 * cells, which are easy to predict, don't dominate. Boxes use the negative logarithm of their IoU
 * with the true boxes.
 */
function detectionLoss(
  { likely, reach }: { readonly likely: Tensor; readonly reach: Tensor },
  targets: DetectionTargets,
  images: number,
): Scalar {
  const gridShape = [images, GRID, GRID];
  const classes = targets.likely.length / (images * GRID * GRID);
  const truth = tensor(targets.likely, [...gridShape, classes]);
  const isMiddle = tensor(
    targets.likely.map((value) => Number(value === 1)),
    [...gridShape, classes],
  );
  const objectCount = Math.max(1, targets.likely.filter((value) => value === 1).length);
  const logits = likely;
  const probability = sigmoid(logits);
  const missed = mul(mul(isMiddle, square(sub(1, probability))), softplus(neg(logits)));
  const nearness = square(square(sub(1, truth)));
  const imagined = mul(mul(nearness, square(probability)), softplus(logits));
  const middles = div(sum(add(missed, imagined)), objectCount);
  const counts = tensor(targets.counts, [...gridShape, 1]);
  const total = Math.max(
    1,
    targets.counts.reduce((all, count) => all + count, 0),
  );
  const expectedReach = tensor(targets.reach, [...gridShape, SIDES]);
  const boxes = div(sum(mul(counts, overlapLoss(reach, expectedReach))), total);
  return add<Scalar>(middles, mul(boxes, REACH_WEIGHT));
}

/**
 * Returns, for each cell, the negative logarithm of the IoU of two boxes that contain the cell's
 * center.
 */
function overlapLoss(reach: Tensor, expectedReach: Tensor): Tensor {
  const predicted = exp(minimum(reach, MAX_LOG_SIDE));
  const shorter = minimum(predicted, expectedReach);
  const shared = computeArea(shorter);
  const together = sub(add(computeArea(predicted), computeArea(expectedReach)), shared);
  return neg(log(div(add(shared, 1e-3), add(maximum(together, 0), 1e-3))));
}

function computeArea(sides: Tensor): Tensor {
  const side = (at: number): Tensor => slice(sides, [0, 0, 0, at], [-1, -1, -1, 1]);
  return mul(add(side(0), side(2)), add(side(1), side(3)));
}

/** A label's detection metrics on held-out images. */
export interface BoxMetrics {
  readonly label: string;
  /** Number of boxes with the label on the held-out images. */
  readonly heldOut: number;
  /**
   * Mean IoU of all true boxes with their matched predicted boxes. A true box without a match
   * counts as 0.
   */
  readonly meanIou?: number;
  /** Fraction of true boxes that match a predicted box with an IoU of at least 0.5. */
  readonly recall?: number;
  /** Fraction of predicted boxes that match a true box with the same minimum IoU. */
  readonly precision?: number;
}

interface DetectionMetrics extends Omit<BoxMetrics, 'label'> {
  readonly labels: readonly BoxMetrics[];
}

/** True and predicted boxes in an image. */
export interface ImageDetections {
  readonly truth: readonly ClassBox[];
  readonly found: readonly Detection[];
}

const HALF = 0.5;

export function computeDetectionMetrics(
  detections: readonly ImageDetections[],
  labels: readonly string[],
): DetectionMetrics {
  return {
    ...computeBoxMetrics(detections),
    labels: labels.map((label, index) => ({
      label,
      ...computeBoxMetrics(
        detections.map(({ truth, found }) => ({
          truth: truth.filter((box) => box.class === index),
          found: found.filter((box) => box.class === index),
        })),
      ),
    })),
  };
}

function computeBoxMetrics(detections: readonly ImageDetections[]): Omit<BoxMetrics, 'label'> {
  const overlaps = detections.flatMap(computeOverlaps);
  const found = detections.reduce((sum, image) => sum + image.found.length, 0);
  const hits = overlaps.filter((overlap) => overlap >= HALF).length;
  return {
    heldOut: overlaps.length,
    ...(overlaps.length > 0 && {
      meanIou: overlaps.reduce((sum, overlap) => sum + overlap, 0) / overlaps.length,
      recall: hits / overlaps.length,
    }),
    ...(found > 0 && { precision: hits / found }),
  };
}

/**
 * Returns the IoU of each true box with the predicted box that matches it. Predicted boxes are
 * matched at most once, in descending order of confidence.
 */
function computeOverlaps({ truth, found }: ImageDetections): number[] {
  const overlaps = truth.map(() => 0);
  const taken = new Set<number>();
  for (const one of found) {
    let best = -1;
    for (const [at, box] of truth.entries()) {
      if (box.class !== one.class || taken.has(at)) continue;
      const isBetter = best < 0 || computeIou(one, box) > computeIou(one, truth[best] ?? box);
      if (isBetter && computeIou(one, box) > 0) best = at;
    }
    const box = truth[best];
    if (box) {
      taken.add(best);
      overlaps[best] = computeIou(one, box);
    }
  }
  return overlaps;
}
