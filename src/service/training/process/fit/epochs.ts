const LEAST = 12;

/**
 * Returns the number of epochs. Fewer images get more epochs, so training takes about the same time
 * for all datasets. The number is always the same for the same images.
 * @param shown total number of times that images are shown.
 */
export function epochsFor(images: number, shown: number, most: number): number {
  return Math.min(Math.max(Math.round(shown / images), LEAST), most);
}
