import {
  add,
  logSoftmax,
  losses,
  mean,
  mul,
  neg,
  type Scalar,
  sub,
  sum,
  type Tensor2D,
  tensor2d,
} from '@tensorflow/tfjs-core';
import type { Random } from '../../../simulate/random';
import type { TrainerJob } from '../managed/trainerMessages';
import type { TrainingParts } from './split';
import { epochsFor, fit, outputsFor } from './fit';
import type { LoadedExample } from './loadSquares';
import { CLASSIFIER_SIZES, classifierNetwork, type Network } from './network';
import { epochLine, type Report, type Trained } from './report';

/** Total number of times that images are shown. */
const SHOWN = 7200;
const RATES = { singleLabelClassification: 2e-3, multiLabelClassification: 3.5e-3 } as const;
/** Minimum probability at which a label is predicted if images can have more than one label. */
const THRESHOLD = 0.5;
/** Maximum weight of rare labels. */
const MAX_WEIGHT = 5;

interface ClassifierJob extends Pick<TrainerJob, 'labels' | 'maxEpochs'> {
  readonly task: keyof typeof CLASSIFIER_SIZES;
}

/** Trains a network that predicts an image's labels: exactly one, or any number. */
export async function trainClassifier(
  { learning, validation, heldOut }: TrainingParts<LoadedExample>,
  { task, labels, maxEpochs }: ClassifierJob,
  random: Random,
  report: Report,
): Promise<Trained> {
  const isSingle = task === 'singleLabelClassification';
  const seed = random.wholeBetween(0, 1e6);
  const size = CLASSIFIER_SIZES[task];
  const network = classifierNetwork(task, labels.length, seed);
  const epochs = epochsFor(learning.length, SHOWN, maxEpochs);
  const weights = computeLabelWeights(learning, labels.length, isSingle);
  const computeMetrics = isSingle ? computeSingleLabelMetrics : computeMultiLabelMetrics;
  // Without validation images, there is no early stopping, and held-out images are used to show the
  // progress.
  const watched = validation.length > 0 ? validation : heldOut;
  const result = await fit(
    learning,
    {
      network: network.learning,
      size,
      epochs,
      rate: RATES[task],
      loss: ([output], batch) => {
        const truth = toTruthTensor(batch, labels.length);
        return isSingle
          ? computeSingleLabelLoss(output as Tensor2D, truth, weights)
          : computeMultiLabelLoss(output as Tensor2D, truth, weights);
      },
      validation,
      done: async (epoch, loss, validationLoss) => {
        const { accuracy } = computeMetrics(predictLabels(network, watched, task), labels);
        const valLoss = validationLoss === undefined ? {} : { val_loss: validationLoss };
        await report(epochLine(epoch, epochs, { loss, ...valLoss, val_accuracy: accuracy }));
      },
    },
    random,
  );
  const figures = computeMetrics(predictLabels(network, heldOut, task), labels);
  return {
    model: network.finished,
    size,
    epochs,
    figures,
    fit: result,
    summary: `accuracy ${figures.accuracy.toFixed(3)} on ${String(heldOut.length)} held-out images`,
  };
}

function predictLabels(
  network: Network,
  examples: readonly LoadedExample[],
  task: ClassifierJob['task'],
): LabelPrediction[] {
  const answers: LabelPrediction[] = [];
  for (const { batch, outputs } of outputsFor(examples, network.finished, CLASSIFIER_SIZES[task])) {
    const [probabilities] = outputs;
    const values = [...(probabilities?.dataSync() ?? [])];
    const width = values.length / batch.length;
    for (const [at, { classes }] of batch.entries()) {
      const row = values.slice(at * width, (at + 1) * width);
      const best = row.indexOf(Math.max(...row));
      const likely = row.flatMap((value, labelIndex) => (value >= THRESHOLD ? labelIndex : []));
      answers.push({
        truth: classes,
        predicted: task === 'singleLabelClassification' ? [best] : likely,
      });
    }
    probabilities?.dispose();
  }
  return answers;
}

function toTruthTensor(batch: readonly LoadedExample[], labels: number): Tensor2D {
  const values = new Float32Array(batch.length * labels);
  for (const [at, { classes }] of batch.entries()) {
    for (const labelIndex of classes) values[at * labels + labelIndex] = 1;
  }
  return tensor2d(values, [batch.length, labels]);
}

/**
 * Returns each label's weight. Higher weights prevent rare labels from being ignored in favor of
 * frequent ones.
 */
function computeLabelWeights(
  examples: readonly LoadedExample[],
  labels: number,
  isSingle: boolean,
): Tensor2D {
  const weights = Array.from({ length: labels }, (_, labelIndex) => {
    const has = examples.filter(({ classes }) => classes.includes(labelIndex)).length;
    const fair = isSingle ? examples.length / labels / has : (examples.length - has) / has;
    return Math.min(Math.max(fair, 1 / MAX_WEIGHT), MAX_WEIGHT);
  });
  return tensor2d([weights]);
}

function computeSingleLabelLoss(output: Tensor2D, truth: Tensor2D, weights: Tensor2D): Scalar {
  return neg(mean(sum(mul(mul(logSoftmax(output), truth), weights), 1)));
}

function computeMultiLabelLoss(output: Tensor2D, truth: Tensor2D, weights: Tensor2D): Scalar {
  // A present label counts with its own weight, and an absent label with the weight 1.
  const counts = add(mul(truth, sub(weights, 1)), 1);
  return losses.sigmoidCrossEntropy(truth, output, counts);
}

/** A label's metrics on held-out images. */
export interface LabelMetrics {
  readonly label: string;
  /** Number of held-out images with the label. */
  readonly heldOut: number;
  /**
   * Fraction of the label's predictions that are correct; absent if the label was never predicted.
   */
  readonly precision?: number;
  /** Fraction of the images with the label for which the label was predicted. */
  readonly recall?: number;
}

export interface ClassificationMetrics {
  /**
   * Fraction of correct predictions: per image or, with multiple labels, over all labels on all
   * images.
   */
  readonly accuracy: number;
  /** Fraction of images for which all labels are correct; only with multiple labels. */
  readonly exactMatch?: number;
  readonly labels: readonly LabelMetrics[];
  /**
   * Confusion matrix with a row per true label and a column per predicted label; only with a single
   * label per image.
   */
  readonly confusion?: readonly (readonly number[])[];
}

/** True and predicted labels for an image, as indexes. */
interface LabelPrediction {
  readonly truth: readonly number[];
  readonly predicted: readonly number[];
}

/** Returns the metrics of predictions with exactly one label per image. */
export function computeSingleLabelMetrics(
  answers: readonly LabelPrediction[],
  labels: readonly string[],
): ClassificationMetrics {
  const confusion = labels.map((_, truth) =>
    labels.map(
      (_unused, predicted) =>
        answers.filter((answer) => answer.truth[0] === truth && answer.predicted[0] === predicted)
          .length,
    ),
  );
  const right = answers.filter(({ truth, predicted: label }) => truth[0] === label[0]).length;
  return {
    accuracy: share(right, answers.length) ?? 0,
    labels: labels.map((label, index) => computeLabelMetrics(answers, label, index)),
    confusion,
  };
}

/** Returns the metrics of predictions with any number of labels per image. */
export function computeMultiLabelMetrics(
  answers: readonly LabelPrediction[],
  labels: readonly string[],
): ClassificationMetrics {
  const wrong = answers.map(
    ({ truth, predicted }) =>
      labels.filter((_, index) => truth.includes(index) !== predicted.includes(index)).length,
  );
  const all = answers.length * labels.length;
  return {
    accuracy: share(all - wrong.reduce((sum, count) => sum + count, 0), all) ?? 0,
    exactMatch: share(wrong.filter((count) => count === 0).length, answers.length) ?? 0,
    labels: labels.map((label, index) => computeLabelMetrics(answers, label, index)),
  };
}

function computeLabelMetrics(
  answers: readonly LabelPrediction[],
  label: string,
  index: number,
): LabelMetrics {
  const has = answers.filter(({ truth }) => truth.includes(index));
  const predicted = answers.filter((answer) => answer.predicted.includes(index));
  const right = has.filter((answer) => answer.predicted.includes(index)).length;
  const [precision, recall] = [share(right, predicted.length), share(right, has.length)];
  return {
    label,
    heldOut: has.length,
    ...(precision !== undefined && { precision }),
    ...(recall !== undefined && { recall }),
  };
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
