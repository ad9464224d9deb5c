const LEAST = 12;

/**
 * Returns the number of epochs: the fewer images, the more epochs, so that the duration is similar
 * for all datasets, and always the same number for the same images.
 * @param shown total number of images to show.
 */
export function epochsFor(images: number, shown: number, most: number): number {
  return Math.min(Math.max(Math.round(shown / images), LEAST), most);
}
