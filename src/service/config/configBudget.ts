const MEBIBYTE = 1024 * 1024;

/**
 * Maximum number of bytes in a response for an organization's own configs and for other
 * organizations' configs.
 */
export interface BudgetLimits {
  own: number;
  others: number;
}

/**
 * JSON text is sent as Structs, which can be several times as large. Messages are limited to 64
 * MiB.
 */
const CONFIG_LIMITS: BudgetLimits = { own: 16 * MEBIBYTE, others: 4 * MEBIBYTE };

/**
 * Decides which configs still fit into one response, so that a list request never fails because of
 * the response size. Configs of other organizations have a separate limit and can't displace an
 * organization's own configs.
 */
export class ConfigBudget {
  readonly #left: BudgetLimits;
  #isExceeded = false;

  constructor(limits = CONFIG_LIMITS) {
    this.#left = { ...limits };
  }

  /** True if any item didn't fit. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /**
   * Reserves space for an item if it fits.
   * @param bytes size of the config or of another listed item.
   */
  tryConsume(whose: keyof BudgetLimits, bytes: number): boolean {
    if (bytes > this.#left[whose]) {
      this.#isExceeded = true;
      return false;
    }
    this.#left[whose] -= bytes;
    return true;
  }
}
