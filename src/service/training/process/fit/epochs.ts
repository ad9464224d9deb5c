const LEAST = 12;

/**
 * How often a training goes through its images: the fewer there are, the more often, so that it takes
 * about as long for all, and always as often for the same ones.
 * @param shown how many pictures are to be shown altogether.
 */
export function epochsFor(images: number, shown: number, most: number): number {
  return Math.min(Math.max(Math.round(shown / images), LEAST), most);
}
