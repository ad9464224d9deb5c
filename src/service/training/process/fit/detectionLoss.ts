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
import { GRID, SIDES } from '../network/detector';
import type { DetectionTargets } from './detectionTargets';

const REACH_WEIGHT = 1;
const MAX_LOG_SIDE = 4;

/**
 * Computes the loss of a detector. For centers, it is the focal loss of CenterNet, because almost
 * all cells are empty and easy cells must not dominate. For boxes, it is the negative logarithm of
 * their IoU with the true boxes.
 */
export function detectionLoss(
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
  const wanted = tensor(targets.reach, [...gridShape, SIDES]);
  const boxes = div(sum(mul(counts, overlapLoss(reach, wanted))), total);
  return add<Scalar>(middles, mul(boxes, REACH_WEIGHT));
}

/**
 * Returns, for each cell, the negative logarithm of the IoU of two boxes that contain the cell's
 * center.
 */
function overlapLoss(reach: Tensor, wanted: Tensor): Tensor {
  const predicted = exp(minimum(reach, MAX_LOG_SIDE));
  const shorter = minimum(predicted, wanted);
  const shared = computeArea(shorter);
  const together = sub(add(computeArea(predicted), computeArea(wanted)), shared);
  return neg(log(div(add(shared, 1e-3), add(maximum(together, 0), 1e-3))));
}

function computeArea(sides: Tensor): Tensor {
  const side = (at: number): Tensor => slice(sides, [0, 0, 0, at], [-1, -1, -1, 1]);
  return mul(add(side(0), side(2)), add(side(1), side(3)));
}
