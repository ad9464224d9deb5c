const LEAST = 12;

/**
 * Returns the number of epochs. There are more epochs if there are fewer images, so the duration is
 * similar for all datasets, and the number is always the same for the same images.
 * @param shown total number of times that images are shown.
 */
export function epochsFor(images: number, shown: number, most: number): number {
  return Math.min(Math.max(Math.round(shown / images), LEAST), most);
}
