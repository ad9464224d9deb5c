const MEBIBYTE = 1024 * 1024;

/** How many bytes an answer holds of an organization's own, and of what others publish. */
export interface BudgetLimits {
  own: number;
  others: number;
}

/** Texts of JSON travel as Structs of up to several times their size, and messages end at 64 MiB. */
const CONFIG_LIMITS: BudgetLimits = { own: 16 * MEBIBYTE, others: 4 * MEBIBYTE };

/**
 * Decides which configs still fit into one answer, so that no list fails over what it holds.
 * Strangers have a share of their own: what they publish must not displace an organization's own.
 */
export class ConfigBudget {
  readonly #left: BudgetLimits;
  #isExceeded = false;

  constructor(limits = CONFIG_LIMITS) {
    this.#left = { ...limits };
  }

  /** Whether something did not fit. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** @param bytes the size of the config, or of what else is listed. */
  takes(whose: keyof BudgetLimits, bytes: number): boolean {
    if (bytes > this.#left[whose]) {
      this.#isExceeded = true;
      return false;
    }
    this.#left[whose] -= bytes;
    return true;
  }
}
