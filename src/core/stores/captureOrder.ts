/** `Order` of the contract, whose generated code is loaded only with the first call. */
export const CAPTURE_ORDERS = { newestFirst: 1, oldestFirst: 2 } as const;

/** Order by time of capture. */
export type CaptureOrder = keyof typeof CAPTURE_ORDERS;
