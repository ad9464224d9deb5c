import { createReadStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { writeFile } from 'node:fs/promises';
import { io, version_core as tensorflowVersion } from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import { hashText, Random } from '../../../simulate/random';
import { counted } from '../managed/formatQuantity';
import { describeMissingExamples, type Example, ExampleTally, seenFor } from '../managed/examples';
import type { TrainerJob } from '../managed/trainerMessages';
import { divide } from './split';
import type { FitResult } from './fit';
import { loadSquares } from './loadSquares';
import { CLASSIFIER_SIZES } from './network';
import { DETECTOR_SIZE, GRID, SIDES } from './detector';
import { type Report, type Trained, TrainingRejectedError } from './report';
import { trainClassifier } from './trainClassifier';
import { trainDetector } from './trainDetector';
import { type AnnotatedImage, readAnnotatedImage } from '../managed/annotatedImage';
import type { TrainingTask } from '../../../core/model/trainingJob';
import { CHANNELS } from './resize';
import { addLayers, onnxBytes, OnnxGraph, type OnnxValue } from './onnx';
import { MIN_DETECTION_SCORE } from '../../../core/model/modelTrial';

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
  return seen.flatMap(({ example, skipReason }) => (skipReason === undefined ? example : []));
}

/** Returns the processor time that this process has used since it started. */
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

/**
 * Reads `dataset.jsonl` with the absolute paths of its images. The result is sorted by path, so the
 * line order in the file has no effect.
 */
async function readDatasetFile(path: string): Promise<AnnotatedImage[]> {
  const images: AnnotatedImage[] = [];
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const image = text.trim() === '' ? undefined : readAnnotatedImage(text);
    if (image) images.push({ ...image, file: resolve(dirname(path), image.file) });
  }
  return images.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Writes the model, its labels, its metrics, and instructions to a job's output folder. */
async function writeModel(
  trained: Trained,
  { task, labels, outputFolder }: TrainerJob,
  seed: number,
  images: Readonly<Record<string, number>>,
): Promise<void> {
  const { model, size, epochs: plannedEpochs, fit, figures } = trained;
  const metrics = {
    task,
    labels,
    images,
    heldOut: figures,
    epochs: fit.epochs,
    plannedEpochs,
    ...(fit.best && { bestEpoch: fit.best.epoch }),
    seed,
    parameters: model.countParams(),
    input: { width: size, height: size, channels: 'RGB', values: '0 to 255' },
    madeWith: { '@tensorflow/tfjs-core': tensorflowVersion },
  };
  const write = (name: string, content: string | Uint8Array): Promise<void> =>
    writeFile(join(outputFolder, name), content);
  await write('model.onnx', onnxForm(model, task, size, labels));
  await writeLayersForm(model, outputFolder);
  await write('labels.txt', labels.map((label) => `${label}\n`).join(''));
  await write('metrics.json', `${JSON.stringify(metrics, null, 2)}\n`);
  await write('README.md', modelReadme(trained, task));
}

const WEIGHTS = 'weights.bin';

/** Writes a model in the format that TensorFlow.js loads: `model.json` and `weights.bin`. */
export async function writeLayersForm(model: LayersModel, folder: string): Promise<void> {
  await model.save(
    io.withSaveHandler(async ({ modelTopology, weightSpecs, weightData, format }) => {
      const manifest = {
        format,
        modelTopology,
        weightsManifest: [{ paths: [WEIGHTS], weights: weightSpecs ?? [] }],
      };
      await writeFile(join(folder, 'model.json'), JSON.stringify(manifest));
      const data = io.CompositeArrayBuffer.join(weightData);
      await writeFile(join(folder, WEIGHTS), new Uint8Array(data));
      return { modelArtifactsInfo: { dateSaved: new Date(), modelTopologyType: 'JSON' } };
    }),
  );
}

const IMAGE = 'image';
const PROBABILITY = 'probability';

/**
 * Returns a model as the contents of an `.onnx` file. The model's input is the bytes of one image,
 * with the shape `[1, rows, columns, 3]`.
 */
export function onnxForm(
  model: LayersModel,
  task: TrainingTask,
  size: number,
  labels: readonly string[],
): Uint8Array {
  const graph = new OnnxGraph();
  const made = addLayers(graph, model, IMAGE);
  const outputs: OnnxValue[] = [];
  if (task === 'objectDetection') {
    addDetections(graph, made.get('likely') ?? '', made.get('reach') ?? '');
    outputs.push(
      { name: 'location', element: 'float', shape: [1, MAX_DETECTIONS, SIDES] },
      { name: 'category', element: 'float', shape: [1, MAX_DETECTIONS] },
      { name: 'score', element: 'float', shape: [1, MAX_DETECTIONS] },
    );
  } else {
    graph.add('Identity', [made.get(PROBABILITY) ?? ''], {}, PROBABILITY);
    outputs.push({ name: PROBABILITY, element: 'float', shape: [1, labels.length] });
  }
  return onnxBytes({
    name: task,
    description: `Labels in the order of the output: ${labels.join(', ')}`,
    nodes: graph.nodes,
    tensors: graph.tensors,
    inputs: [{ name: IMAGE, element: 'uint8', shape: [1, size, size, CHANNELS] }],
    outputs,
  });
}

const TITLES: Readonly<Record<TrainingTask, string>> = {
  singleLabelClassification: 'Classification with one label for each image',
  multiLabelClassification: 'Classification with any number of labels for each image',
  objectDetection: 'Object detection with bounding boxes',
};

const OUTPUTS: Readonly<Record<TrainingTask, string>> = {
  singleLabelClassification:
    'The output `probability` has one number for each label. The numbers add up to 1.',
  multiLabelClassification:
    'The output `probability` has one number for each label, from 0 to 1. The label applies to the image if the number is at least 0.5.',
  objectDetection: [
    '`model.onnx` returns the most likely objects, the most likely first: `location` (top, left, bottom, and right,',
    'as fractions of the image), `category` (the index of the label, from 0), and `score`. Use those with a score',
    `of at least ${String(MIN_DETECTION_SCORE)}. If boxes with the same label overlap by half or more, use only the first.`,
    '',
    `The outputs of the layers model are maps of ${String(GRID)} × ${String(GRID)} cells, row by row. \`likely\` has one number for each`,
    'label in each cell. Its sigmoid is the likelihood that the center of an object is there. `reach` has four numbers. Their',
    'exponentials are the distances from the center of the cell to the left, top, right, and bottom edges of the box,',
    `in cells (1/${String(GRID)} of the image). Use the cells that are more likely than the eight around them.`,
  ].join('\n'),
};

/** Returns a README that explains how to use a model. */
function modelReadme({ size, summary }: Trained, task: TrainingTask): string {
  return `# ${TITLES[task]}

Measured: ${summary}.

## Files

- \`model.onnx\`: the model for ONNX runtimes; its input is bytes.
- \`model.json\`, \`weights.bin\`: the same as a TensorFlow.js layers model; its input is floats.
- \`labels.txt\`: the labels, one per line, in the order of the outputs.
- \`metrics.json\`: metrics for images that were not used for training.

## Input and output

The input \`image\` is the whole image, stretched to ${String(size)} × ${String(size)} pixels: red, green, and blue from 0 to
255, row by row from the top. The model scales the values itself.

${OUTPUTS[task]}
`;
}

/**
 * Maximum number of detected objects per image. The most likely objects are first; callers filter
 * them by score.
 */
const MAX_DETECTIONS = 32;
const MAX_LOG_SIDE = 4;
const CELLS = GRID * GRID;

/**
 * Adds nodes that convert a detector's cells to boxes, with the names and formats that detection
 * programs expect: `location` (top, left, bottom, right, each from 0 to 1), `category`, and
 * `score`.
 */
function addDetections(graph: OnnxGraph, likely: string, reach: string): void {
  const scores = graph.add('Sigmoid', [likely]);
  const around = graph.add('MaxPool', [scores], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] });
  const isPeak = graph.add('Cast', [graph.add('Equal', [scores, around])], { to: 1 });
  const peaks = graph.add('Mul', [scores, isPeak]);
  const flat = graph.add('Reshape', [peaks, graph.whole([1, -1])]);
  graph.addPair('TopK', [flat, graph.whole([MAX_DETECTIONS])], ['score', 'best']);
  const cells = graph.whole([CELLS], [1]);
  const category = graph.add('Div', ['best', cells]);
  graph.add('Cast', [category], { to: 1 }, 'category');
  const cellIndex = graph.add('Reshape', [graph.add('Mod', ['best', cells]), graph.whole([-1])]);
  const boxes = addBoxes(graph, reach);
  graph.add('Gather', [boxes, cellIndex], { axis: 1 }, 'location');
}

/** Adds nodes that compute each cell's box, with the shape `[1, cells, 4]`. */
function addBoxes(graph: OnnxGraph, reach: string): string {
  const maxLogSide = graph.floats([MAX_LOG_SIDE], []);
  const lengths = graph.add('Exp', [graph.add('Clip', [reach, '', maxLogSide])]);
  const outwards = graph.add('Mul', [lengths, graph.floats([-1, -1, 1, 1], [1, SIDES, 1, 1])]);
  const sides = graph.add('Add', [outwards, graph.floats(middles(), [1, SIDES, GRID, GRID])]);
  const shares = graph.add('Mul', [sides, graph.floats([1 / GRID], [1])]);
  const inside = graph.add('Clip', [shares, graph.floats([0], []), graph.floats([1], [])]);
  const topFirst = graph.add('Gather', [inside, graph.whole([1, 0, 3, 2])], { axis: 1 });
  const rows = graph.add('Reshape', [topFirst, graph.whole([1, SIDES, CELLS])]);
  return graph.add('Transpose', [rows], { perm: [0, 2, 1] });
}

/** Returns the centers of all cells as x, y, x, y. */
function middles(): number[] {
  const cells = Array.from({ length: CELLS }, (_, cell) => cell);
  const across = cells.map((cell) => (cell % GRID) + 0.5);
  const down = cells.map((cell) => Math.floor(cell / GRID) + 0.5);
  return [...across, ...down, ...across, ...down];
}
