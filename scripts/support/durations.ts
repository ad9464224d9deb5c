import { readFileSync, writeFileSync } from 'node:fs';
import type { StageResult } from './stages';
import { fromRoot } from './paths';

/** How long a stage takes. */
export interface Duration {
  /** Wall time, beside another stage. */
  seconds: number;
  /** What all of its processes take, where the system counts it. */
  cpuSeconds?: number | undefined;
}

/** The durations of stages by name. */
export type Durations = Readonly<Record<string, Duration>>;

const file = fromRoot('test', 'durations.json');
/** Computers differ: a stage is compared with what this one takes in the same run. */
const yardstick = 'unit';
const MAX_GROWTH = 1.5;
/** Differences of a few seconds mean nothing. */
const MIN_GROWTH_SECONDS = 20;

/** Returns the recorded durations of `npm run test:all`. */
export function readDurations(): Durations {
  return JSON.parse(readFileSync(file, 'utf8')) as Durations;
}

/** Records durations for later runs to be compared with. */
export function writeDurations(durations: Durations): void {
  writeFileSync(file, `${JSON.stringify(durations, null, 2)}\n`);
}

/** Returns the durations of a run's stages, in whole seconds. */
export function durationsOf(results: readonly StageResult[]): Durations {
  return Object.fromEntries(
    results.map(({ stage, milliseconds, cpuSeconds }) => {
      const duration: Duration = { seconds: Math.round(milliseconds / 1000) };
      if (cpuSeconds !== undefined) duration.cpuSeconds = Math.round(cpuSeconds);
      return [stage.name, duration];
    }),
  );
}

/**
 * Describes each stage whose CPU seconds, relative to those of the unit tests, have grown by more than half. Wall time
 * depends on what runs beside a stage.
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
