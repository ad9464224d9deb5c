import { forEachBounded } from '../../base/bounded';
import type { Random } from '../random';
import type { Measure } from '../readings/readingModel';
import {
  createSourceRandom,
  shares,
  USUAL_SOURCES,
  type WeightedSource,
} from '../readings/tabularSource';
import type { CapturedReading } from '../machines/partUploads';
import {
  DEMO_TAG,
  type FillPlan,
  getCaptureTime,
  type Uploader,
  UPLOADS_AT_ONCE,
} from './fillPlan';

/**
 * Number of readings per upload. With this number, a message is a few hundred kilobytes in size.
 */
const BATCH_SIZE = 1000;
const QUICKEST_ANSWER_MS = 2;
const SLOWEST_ANSWER_MS = 60;

/** The readings from one source on one machine, from first to last. */
interface Series {
  uploader: Uploader;
  source: WeightedSource;
  measure: Measure;
  random: Random;
  count: number;
}

interface Batch {
  series: Series;
  first: number;
  size: number;
}

/** Uploads readings, distributed over all sources on all machines. */
export async function fillReadings(plan: FillPlan, total: number): Promise<void> {
  let done = 0;
  await forEachBounded(
    splitIntoBatches(planSeries(plan, total)),
    UPLOADS_AT_ONCE,
    async (batch) => {
      const { uploader, source } = batch.series;
      // Created only when needed, because a series continues where its last batch ended.
      const readings = createReadings(plan, batch);
      await uploader.uploads.readings(source, readings, [DEMO_TAG], plan.options);
      done += readings.length;
      plan.progress('readings', done);
    },
  );
}

function planSeries({ uploaders, random }: FillPlan, total: number): Series[] {
  const owned = uploaders.flatMap((uploader) =>
    USUAL_SOURCES.map((source) => ({ uploader, source })),
  );
  const counts = shares(
    total,
    owned.map(({ source }) => source.weight),
  );
  return owned.map(({ uploader, source }, index) => {
    const chance = createSourceRandom(random, uploader.partName, source);
    return {
      uploader,
      source,
      measure: source.model(chance),
      random: chance.of('times'),
      count: counts[index] ?? 0,
    };
  });
}

function splitIntoBatches(all: readonly Series[]): Batch[] {
  return all.flatMap((series) =>
    Array.from({ length: Math.ceil(series.count / BATCH_SIZE) }, (_, index) => {
      const first = index * BATCH_SIZE;
      return { series, first, size: Math.min(BATCH_SIZE, series.count - first) };
    }),
  );
}

function createReadings({ span }: FillPlan, { series, first, size }: Batch): CapturedReading[] {
  const { random, measure, count } = series;
  return Array.from({ length: size }, (_, index) => {
    const at = getCaptureTime(span, random, first + index, count);
    const latencyMs = random.wholeBetween(QUICKEST_ANSWER_MS, SLOWEST_ANSWER_MS);
    return { at, latencyMs, payload: measure(at) };
  });
}
