import { Random as Chance } from '../../src/simulate/random';

/** Numbers in [0, 1) that a seed repeats. */
export type Random = () => number;

/** Numbers that are the same again for the same seed. */
export function seededRandom(seed: number): Random {
  const chance = new Chance(String(seed));
  return () => chance.next();
}
