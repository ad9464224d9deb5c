import {
  add,
  losses,
  mean,
  mul,
  neg,
  logSoftmax,
  type Scalar,
  sub,
  sum,
  type Tensor2D,
  tensor2d,
} from '@tensorflow/tfjs-core';
import type { Random } from '../../../simulate/random';
import type { TrainerJob } from '../managed/trainerMessages';
import type { TrainingParts } from './dataset/split';
import {
  type LabelPrediction,
  computeMultiLabelMetrics,
  computeSingleLabelMetrics,
} from './figures/classificationMetrics';
import { epochsFor } from './fit/epochs';
import { fit, outputsFor } from './fit/fit';
import type { LoadedExample } from './images/loadSquares';
import { CLASSIFIER_SIZES, classifierNetwork, type Network } from './network/classifier';
import { epochLine, type Report } from './report';
import type { Trained } from './trained';

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

/** Trains a network that predicts the labels of an image: exactly one, or any number. */
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
      ...{ size, epochs, rate: RATES[task] },
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
    ...{ size, epochs, figures, fit: result },
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
 * Returns the weight of each label. Higher weights prevent rare labels from being ignored in favor
 * of frequent ones.
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
