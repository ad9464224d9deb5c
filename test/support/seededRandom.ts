import { Random as Chance } from '../../src/simulate/random';

/** A random number generator that returns numbers in [0, 1). */
export type Random = () => number;

/** Returns a random number generator whose sequence depends only on the seed. */
export function seededRandom(seed: number): Random {
  const chance = new Chance(String(seed));
  return () => chance.next();
}
