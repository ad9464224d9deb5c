const MEBIBYTE = 1024 * 1024;

/** Texts of JSON travel as Structs of up to several times their size, and messages end at 64 MiB. */
const LIMITS = { own: 16 * MEBIBYTE, others: 4 * MEBIBYTE };

/**
 * Decides which configs still fit into one answer, so that no list fails over what it holds.
 * Strangers have a share of their own: what they publish must not displace an organization's own.
 */
export class ConfigBudget {
  readonly #left = { ...LIMITS };
  #isExceeded = false;

  /** Whether something did not fit. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** @param bytes the size of the config's text. */
  takes(whose: keyof typeof LIMITS, bytes: number): boolean {
    if (bytes > this.#left[whose]) {
      this.#isExceeded = true;
      return false;
    }
    this.#left[whose] -= bytes;
    return true;
  }
}
