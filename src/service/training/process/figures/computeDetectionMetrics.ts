import type { ClassBox } from '../../managed/examples';
import { type Detection, computeIou } from '../network/detections';

/** Detection metrics of a label on held-out images. */
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

export interface DetectionMetrics extends Omit<BoxMetrics, 'label'> {
  readonly labels: readonly BoxMetrics[];
}

/** True and predicted boxes of an image. */
export interface Findings {
  readonly truth: readonly ClassBox[];
  readonly found: readonly Detection[];
}

const HALF = 0.5;

export function computeDetectionMetrics(
  findings: readonly Findings[],
  labels: readonly string[],
): DetectionMetrics {
  return {
    ...computeBoxMetrics(findings),
    labels: labels.map((label, index) => ({
      label,
      ...computeBoxMetrics(
        findings.map(({ truth, found }) => ({
          truth: truth.filter((box) => box.class === index),
          found: found.filter((box) => box.class === index),
        })),
      ),
    })),
  };
}

function computeBoxMetrics(findings: readonly Findings[]): Omit<BoxMetrics, 'label'> {
  const overlaps = findings.flatMap(computeOverlaps);
  const found = findings.reduce((sum, image) => sum + image.found.length, 0);
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
 * Returns the IoU of each true box with the predicted box that matches it. Each predicted box is
 * matched at most once, most confident first.
 */
function computeOverlaps({ truth, found }: Findings): number[] {
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
