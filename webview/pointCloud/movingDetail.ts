/** Frames that take longer than this look jerky, in milliseconds. */
const SLOW = 50;
const FAST = 25;
const AIM = 33;
const GROWTH = 1.3;
const LEAST = 0.01;

/** How much of a cloud is drawn while it moves: as much as the computer can draw many times a second. */
export class MovingDetail {
  private part = 1;

  /** From 0 to 1. */
  get share(): number {
    return this.part;
  }

  /** Takes over how long a frame with this share took, in milliseconds. */
  frameTook(milliseconds: number): void {
    if (milliseconds > SLOW) this.part = Math.max(LEAST, (this.part * AIM) / milliseconds);
    else if (milliseconds < FAST) this.part = Math.min(1, this.part * GROWTH);
  }
}
