import { readFileSync, writeFileSync } from 'node:fs';
import type { StageResult } from './stages';
import { fromRoot } from './paths';

/** Duration of a stage in a test run. */
export interface Duration {
  /** Wall-clock time, which also depends on the stages that run concurrently. */
  seconds: number;
  /** CPU time of all of the stage's processes, if the system reports it. */
  cpuSeconds?: number | undefined;
}

/** Durations of stages by name. */
export type Durations = Readonly<Record<string, Duration>>;

const file = fromRoot('test', 'durations.json');
/**
 * Stage whose CPU time the other stages are measured against, because computers differ in speed.
 */
const yardstick = 'unit';
const MAX_GROWTH = 1.5;
/** Minimum growth in seconds that is reported. Smaller differences are insignificant. */
const MIN_GROWTH_SECONDS = 20;

/** Returns the recorded durations of `npm run test:all`. */
export function readDurations(): Durations {
  return JSON.parse(readFileSync(file, 'utf8')) as Durations;
}

/** Records durations as a baseline for later runs. */
export function writeDurations(durations: Durations): void {
  writeFileSync(file, `${JSON.stringify(durations, null, 2)}\n`);
}

/** Returns the durations of a run's stages, in whole seconds. */
export function toDurations(results: readonly StageResult[]): Durations {
  return Object.fromEntries(
    results.map(({ stage, milliseconds, cpuSeconds }) => {
      const duration: Duration = { seconds: Math.round(milliseconds / 1000) };
      if (cpuSeconds !== undefined) duration.cpuSeconds = Math.round(cpuSeconds);
      return [stage.name, duration];
    }),
  );
}

/**
 * Describes each stage whose CPU time, relative to that of the unit tests, has grown by more than
 * half. Wall-clock time isn't compared, because it depends on the stages that run concurrently.
 */
export function describeGrowth(recorded: Durations, measured: Durations): readonly string[] {
  const before = recorded[yardstick]?.cpuSeconds;
  const now = measured[yardstick]?.cpuSeconds;
  if (before === undefined || now === undefined) return [];
  return Object.entries(measured).flatMap(([name, { cpuSeconds }]) => {
    const expected = ((recorded[name]?.cpuSeconds ?? Infinity) / before) * now;
    if (cpuSeconds === undefined || cpuSeconds <= expected * MAX_GROWTH) return [];
    if (cpuSeconds - expected < MIN_GROWTH_SECONDS) return [];
    const [took, instead] = [cpuSeconds, expected].map((value) => value.toFixed(0));
    return [`${name} took ${took} CPU seconds instead of ${instead}.`];
  });
}
