/** Room on disk for results that wait to be fetched, shared by all cursors. */
export class SpoolRoom {
  #taken = 0;

  /** @param most in bytes, over all cursors. */
  constructor(private readonly most: number) {}

  /** Takes room, or answers false when there is not enough. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.most) {
      return false;
    }
    this.#taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}
