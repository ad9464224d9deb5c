import { GRID, SIDES } from '../network/detector';
import type { OnnxGraph } from './onnxGraph';

/**
 * Maximum number of detected objects per image. The most likely objects are first; callers filter
 * them by score.
 */
export const MAX_DETECTIONS = 32;
const MAX_LOG_SIDE = 4;
const PLACES = GRID * GRID;

/**
 * Adds nodes that convert a detector's cells to boxes, with the names and formats that detection
 * programs expect: `location` (top, left, bottom, right, each from 0 to 1), `category`, and
 * `score`.
 */
export function addDetections(graph: OnnxGraph, likely: string, reach: string): void {
  const scores = graph.add('Sigmoid', [likely]);
  const around = graph.add('MaxPool', [scores], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] });
  const isPeak = graph.add('Cast', [graph.add('Equal', [scores, around])], { to: 1 });
  const peaks = graph.add('Mul', [scores, isPeak]);
  const flat = graph.add('Reshape', [peaks, graph.whole([1, -1])]);
  graph.addPair('TopK', [flat, graph.whole([MAX_DETECTIONS])], ['score', 'best']);
  const cells = graph.whole([PLACES], [1]);
  const category = graph.add('Div', ['best', cells]);
  graph.add('Cast', [category], { to: 1 }, 'category');
  const cellIndex = graph.add('Reshape', [graph.add('Mod', ['best', cells]), graph.whole([-1])]);
  const boxes = addBoxes(graph, reach);
  graph.add('Gather', [boxes, cellIndex], { axis: 1 }, 'location');
}

/** Adds nodes that compute the box of each cell, with the shape `[1, cells, 4]`. */
function addBoxes(graph: OnnxGraph, reach: string): string {
  const most = graph.floats([MAX_LOG_SIDE], []);
  const lengths = graph.add('Exp', [graph.add('Clip', [reach, '', most])]);
  const outwards = graph.add('Mul', [lengths, graph.floats([-1, -1, 1, 1], [1, SIDES, 1, 1])]);
  const sides = graph.add('Add', [outwards, graph.floats(middles(), [1, SIDES, GRID, GRID])]);
  const shares = graph.add('Mul', [sides, graph.floats([1 / GRID], [1])]);
  const inside = graph.add('Clip', [shares, graph.floats([0], []), graph.floats([1], [])]);
  const topFirst = graph.add('Gather', [inside, graph.whole([1, 0, 3, 2])], { axis: 1 });
  const rows = graph.add('Reshape', [topFirst, graph.whole([1, SIDES, PLACES])]);
  return graph.add('Transpose', [rows], { perm: [0, 2, 1] });
}

/** Returns the center of each cell: x, y, x, y. */
function middles(): number[] {
  const cells = Array.from({ length: PLACES }, (_, cell) => cell);
  const across = cells.map((cell) => (cell % GRID) + 0.5);
  const down = cells.map((cell) => Math.floor(cell / GRID) + 0.5);
  return [...across, ...down, ...across, ...down];
}
