const MEBIBYTE = 1024 * 1024;

/** Maximum bytes in a response for an organization's own configs, and for those of others. */
export interface BudgetLimits {
  own: number;
  others: number;
}

/**
 * JSON texts are sent as Structs of up to several times their size, and messages are limited to 64
 * MiB.
 */
const CONFIG_LIMITS: BudgetLimits = { own: 16 * MEBIBYTE, others: 4 * MEBIBYTE };

/**
 * Decides which configs still fit into one response, so that no list fails because of its size.
 * Configs of others have a separate limit, so that they can't displace an organization's own.
 */
export class ConfigBudget {
  readonly #left: BudgetLimits;
  #isExceeded = false;

  constructor(limits = CONFIG_LIMITS) {
    this.#left = { ...limits };
  }

  /** True if something didn't fit. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** @param bytes size of the config or of another listed item. */
  tryConsume(whose: keyof BudgetLimits, bytes: number): boolean {
    if (bytes > this.#left[whose]) {
      this.#isExceeded = true;
      return false;
    }
    this.#left[whose] -= bytes;
    return true;
  }
}
