const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const STEP = 0x6d2b79f5;
const TWO_TO_THE_32 = 2 ** 32;

/**
 * Computes the FNV-1a hash of a string, which is a number below 2³². The hashes are evenly
 * distributed and the same on all platforms.
 */
export function hashText(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(text)) {
    hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  }
  return hash;
}

/**
 * Generates deterministic random numbers from a seed (mulberry32). Must not be used for secrets.
 */
export class Random {
  private state: number;

  constructor(private readonly seed: string) {
    this.state = hashText(seed);
  }

  /** Returns an independent generator for a name. Other generators don't affect it. */
  of(name: string): Random {
    return new Random(`${this.seed}/${name}`);
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + STEP) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_THE_32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Returns a random integer, both bounds inclusive. */
  wholeBetween(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.next());
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns a normally distributed number with mean 0 (Box-Muller method). */
  normal(deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return deviation * radius * Math.cos(2 * Math.PI * this.next());
  }

  /** @throws RangeError if the list is empty. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.wholeBetween(0, items.length - 1)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}
