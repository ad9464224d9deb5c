import { MIN_DETECTION_SCORE } from '../../../../core/model/modelTrial';
import type { TrainingTask } from '../../../../core/model/trainingTask';
import { GRID } from '../network/detector';
import type { Trained } from '../trained';

const TITLES: Readonly<Record<TrainingTask, string>> = {
  singleLabelClassification: 'Classification with one label for each image',
  multiLabelClassification: 'Classification with any number of labels for each image',
  objectDetection: 'Detection of things with their boxes',
};

const OUTPUTS: Readonly<Record<TrainingTask, string>> = {
  singleLabelClassification:
    'The output `probability` has one number for each label; together they are 1.',
  multiLabelClassification:
    'The output `probability` has one number for each label, each from 0 to 1: from 0.5 on, the label is on the image.',
  objectDetection: [
    '`model.onnx` tells of the likeliest things, the likeliest first: `location` (top, left, bottom and right,',
    'as shares of the image), `category` (the place of the label, from 0) and `score`. Take those with a score',
    `of at least ${String(MIN_DETECTION_SCORE)}, and of boxes with the same label that overlap by half the first.`,
    '',
    `The outputs of the layers model are maps of ${String(GRID)} × ${String(GRID)} places, row by row. \`likely\` has one number for each`,
    'label at each place: its sigmoid is how likely the middle of a thing is there. `reach` has four: the',
    'exponentials are how far the box reaches from the middle of the place to the left, top, right and bottom,',
    `in places (1/${String(GRID)} of the image). Take the places that are likelier than the eight around them.`,
  ].join('\n'),
};

/** How to use a model, for people. */
export function modelReadme({ size, summary }: Trained, task: TrainingTask): string {
  return `# ${TITLES[task]}

Measured: ${summary}.

## Files

- \`model.onnx\`: the model for ONNX runtimes; its input is bytes.
- \`model.json\`, \`weights.bin\`: the same as a TensorFlow.js layers model; its input is floats.
- \`labels.txt\`: the labels, one a line, in the order of the outputs.
- \`metrics.json\`: what was measured on images that the model did not learn from.

## Input and output

The input \`image\` takes the whole image, stretched to ${String(size)} × ${String(size)} pixels: red, green and blue from 0 to
255, row by row from the top. The model scales them itself.

${OUTPUTS[task]}
`;
}
