import { Random as Chance } from '../../src/simulate/random';

/** A random number generator in [0, 1) with a seed. */
export type Random = () => number;

/** Returns a generator with the same sequence for the same seed. */
export function seededRandom(seed: number): Random {
  const chance = new Chance(String(seed));
  return () => chance.next();
}
