import { readFileSync, writeFileSync } from 'node:fs';
import { fromRoot } from './paths';

/** Seconds that each stage takes, by its name. */
export type Durations = Readonly<Record<string, number>>;

const file = fromRoot('test', 'durations.json');
/** Computers differ: stages are compared by their share of what this one takes in the same run. */
const yardstick = 'unit';
const MAX_GROWTH = 1.5;
/** Differences of a few seconds say nothing. */
const MIN_GROWTH_SECONDS = 10;

/** Returns the recorded durations of `npm run test:all`. */
export function readDurations(): Durations {
  return JSON.parse(readFileSync(file, 'utf8')) as Durations;
}

/** Records durations as what later runs are compared with. */
export function writeDurations(durations: Durations): void {
  writeFileSync(file, `${JSON.stringify(durations, null, 2)}\n`);
}

/** Describes each stage that takes more than half again of its recorded share of the unit tests' seconds. */
export function describeGrowth(recorded: Durations, measured: Durations): readonly string[] {
  const { [yardstick]: before } = recorded;
  const { [yardstick]: now } = measured;
  if (before === undefined || now === undefined) return [];
  return Object.entries(measured).flatMap(([name, seconds]) => {
    const expected = ((recorded[name] ?? Infinity) / before) * now;
    if (seconds <= expected * MAX_GROWTH || seconds - expected < MIN_GROWTH_SECONDS) return [];
    const [took, instead] = [seconds, expected].map((value) => value.toFixed(0));
    return [`${name} took ${took} s instead of ${instead} s.`];
  });
}
