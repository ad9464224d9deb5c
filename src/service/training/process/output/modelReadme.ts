import { MIN_DETECTION_SCORE } from '../../../../core/model/modelTrial';
import type { TrainingTask } from '../../../../core/model/trainingTask';
import { GRID } from '../network/detector';
import type { Trained } from '../trained';

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
export function modelReadme({ size, summary }: Trained, task: TrainingTask): string {
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
