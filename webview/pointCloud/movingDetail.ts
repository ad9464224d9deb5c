/** Frame time in milliseconds above which movement looks jerky. */
const SLOW = 50;
const FAST = 25;
const AIM = 33;
const GROWTH = 1.3;
const LEAST = 0.01;

/**
 * The fraction of a cloud's points to draw during movement: as many as the computer can draw many
 * times per second.
 */
export class MovingDetail {
  private part = 1;

  /** Current fraction, from 0 to 1. */
  get share(): number {
    return this.part;
  }

  /** Adjusts the fraction to the time that drawing a frame took, in milliseconds. */
  frameTook(milliseconds: number): void {
    if (milliseconds > SLOW) this.part = Math.max(LEAST, (this.part * AIM) / milliseconds);
    else if (milliseconds < FAST) this.part = Math.min(1, this.part * GROWTH);
  }
}
