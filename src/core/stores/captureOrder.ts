/** `Order` of the contract, whose generated code is loaded with the first call, not before. */
export const CAPTURE_ORDERS = { newestFirst: 1, oldestFirst: 2 } as const;

/** By time of capture. */
export type CaptureOrder = keyof typeof CAPTURE_ORDERS;
