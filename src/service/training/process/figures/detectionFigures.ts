import type { ClassBox } from '../../managed/examples';
import { type Detection, overlapOf } from '../network/detections';

/** How well a model finds things with one label on images that it did not learn from. */
export interface BoxFigures {
  readonly label: string;
  /** Boxes on the held-out images. */
  readonly heldOut: number;
  /** The mean over all true boxes of how much the box that was found for it overlaps; 0 where none was. */
  readonly meanIou?: number;
  /** Of the true boxes, the share for which a box was found that overlaps by at least a half. */
  readonly recall?: number;
  /** Of the found boxes, the share that overlaps a true one so. */
  readonly precision?: number;
}

export interface DetectionFigures extends Omit<BoxFigures, 'label'> {
  readonly labels: readonly BoxFigures[];
}

/** What is in an image, and what the model finds there. */
export interface Findings {
  readonly truth: readonly ClassBox[];
  readonly found: readonly Detection[];
}

const HALF = 0.5;

export function detectionFigures(
  findings: readonly Findings[],
  labels: readonly string[],
): DetectionFigures {
  return {
    ...figuresOf(findings),
    labels: labels.map((label, place) => ({
      label,
      ...figuresOf(
        findings.map(({ truth, found }) => ({
          truth: truth.filter((box) => box.class === place),
          found: found.filter((box) => box.class === place),
        })),
      ),
    })),
  };
}

function figuresOf(findings: readonly Findings[]): Omit<BoxFigures, 'label'> {
  const overlaps = findings.flatMap(overlapsOf);
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

/** For each true box how much the one found for it overlaps; each found one is for one, the surest first. */
function overlapsOf({ truth, found }: Findings): number[] {
  const overlaps = truth.map(() => 0);
  const taken = new Set<number>();
  for (const one of found) {
    let best = -1;
    for (const [at, box] of truth.entries()) {
      if (box.class !== one.class || taken.has(at)) continue;
      const isBetter = best < 0 || overlapOf(one, box) > overlapOf(one, truth[best] ?? box);
      if (isBetter && overlapOf(one, box) > 0) best = at;
    }
    const box = truth[best];
    if (box) {
      taken.add(best);
      overlaps[best] = overlapOf(one, box);
    }
  }
  return overlaps;
}
